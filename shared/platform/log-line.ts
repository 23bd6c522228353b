import { passesLuhn } from '#shared/domain/card.ts'
import type { LogEntry } from './ports.ts'

/**
 * A line of the log as it is written. The fields of an entry are an allow-list. As a last safeguard, text and numbers
 * that look like card numbers or API keys are masked.
 */
export const logLine = (entry: LogEntry): string => JSON.stringify(entry, (_name, value) => maskedValue(value))

/** Writes a line of the log. Lambda adds a prefix to console output, and the filters of the log match only pure JSON. */
export function writeLog(entry: LogEntry): void {
  process.stdout.write(`${logLine(entry)}\n`)
}

/**
 * The alternatives are tried in order. A request id is matched first, so its digits are not mistaken for a card number.
 * `c2tf` and `cGtf` are `sk_` and `pk_` in base64.
 */
const SENSITIVE =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|(?<key>[sp]k_(?:test|live)_)\w+|(?<encoded>c2tf|cGtf)[\w+/=-]{8,}|(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g

/** Text with every card number and API key in it masked. */
export function masked(text: string): string {
  return text.replace(SENSITIVE, (found, key: string | undefined, encoded: string | undefined) => {
    if (key) return `${key}[masked]`
    if (encoded) return '[masked]'
    return /^[0-9 -]+$/.test(found) && passesLuhn(found.replace(/\D/g, '')) ? '[masked]' : found
  })
}

function maskedValue(value: unknown): unknown {
  if (typeof value === 'string') return masked(value)
  return typeof value === 'number' && masked(String(value)) !== String(value) ? '[masked]' : value
}
