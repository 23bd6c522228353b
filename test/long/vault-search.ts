import type { Purpose } from '#shared/crypto/sealed-text.ts'
import type { Message, Platform } from '#shared/platform/ports.ts'
import type { Api } from '#test/fixtures/api.ts'

const purposes: readonly Purpose[] = ['payment_details', 'webhook_secret']

/** Opened payment details, and the record that they were sealed for. */
export interface Opened {
  readonly record: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at details of every type
  readonly details: any
}

/**
 * The payment details in the table, the log and the sent messages that the vault opens without a client's secret. Every
 * text that may be sealed is tried for every merchant, purpose and record that is named anywhere.
 */
export async function openedByVault(api: Api, messages: readonly Message[] = []): Promise<Opened[]> {
  const texts = [...new Set([...textsIn([...api.platform.table.items()]), ...textsIn(messages), ...textsIn(api.logs)])]
  const names = [...new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []))]
  const merchants = names.filter((name) => name.startsWith('mer_'))
  // The record of a token is named by the first half of the token's id, so this half is tried as well.
  const records = [
    ...new Set(names.flatMap((name) => [name, ...(/^tok_\w{52}$/.exec(name) ? [name.slice(4, 30)] : [])])),
  ]
  const sealed = texts.filter((text) => /^[A-Za-z0-9+/]{40,}={0,2}$/.test(text))
  const contexts = merchants.flatMap((merchant) =>
    purposes.flatMap((purpose) => records.map((record) => ({ merchant, purpose, record }))),
  )
  const found: Opened[] = []
  for (const text of sealed)
    for (const context of contexts) {
      const plain = await opened(api.platform.vault, text, context)
      if (plain !== undefined && context.purpose === 'payment_details')
        found.push({ record: context.record, details: JSON.parse(plain) })
    }
  return found
}

async function opened(
  vault: Platform['vault'],
  text: string,
  context: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  try {
    return Buffer.from(await vault.open(Buffer.from(text, 'base64'), context)).toString()
  } catch {
    return undefined
  }
}

/** Every text in a value, at any depth, including texts inside JSON text. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...textsInJson(value)]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)])
}

function textsInJson(text: string): string[] {
  if (!/^[[{]/.test(text)) return []
  try {
    return textsIn(JSON.parse(text))
  } catch {
    return []
  }
}
