import { passesLuhn } from '#shared/domain/card.ts'
import type { LogEntry } from './ports.ts'

/**
 * A line of the log as it is written. Its fields are an allow-list already; whatever in them still looks like a card
 * number or an API key is masked here, at the last moment.
 */
export const logLine = (entry: LogEntry): string => JSON.stringify(entry, (_name, value) => maskedValue(value))

/** Alternatives in order: a request's id is kept whole, so that no digits of it are taken for a card's. */
const SUSPECT =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|(?<key>[sp]k_(?:test|live)_)\w+|(?<encoded>c2tf|cGtf)[\w+/=-]{8,}|(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g

/** Text with every card number and API key in it masked. */
export function masked(text: string): string {
  return text.replace(SUSPECT, (found, key: string | undefined, encoded: string | undefined) => {
    if (key) return `${key}[masked]`
    if (encoded) return '[masked]'
    return /^[0-9 -]+$/.test(found) && passesLuhn(found.replace(/\D/g, '')) ? '[masked]' : found
  })
}

function maskedValue(value: unknown): unknown {
  if (typeof value === 'string') return masked(value)
  return typeof value === 'number' && masked(String(value)) !== String(value) ? '[masked]' : value
}
