import type { Work } from './work.ts'

/** What sealed text is. A role can be held to one purpose, since the vault binds it in. */
export type Purpose = 'payment_details' | 'webhook_secret'

/** Seals a secret for the record that will hold it, as base64; opened for any other record or purpose, it stays shut. */
export async function sealText(work: Work, purpose: Purpose, record: string, text: string): Promise<string> {
  const sealed = await work.platform.vault.seal(Buffer.from(text), contextOf(work, purpose, record))
  return Buffer.from(sealed).toString('base64')
}

/** Opens what `sealText` sealed for this record. Throws `SealBroken` for any other. */
export async function openText(work: Work, purpose: Purpose, record: string, sealed: string): Promise<string> {
  const plain = await work.platform.vault.open(Buffer.from(sealed, 'base64'), contextOf(work, purpose, record))
  return Buffer.from(plain).toString()
}

const contextOf = ({ merchant }: Work, purpose: Purpose, record: string) => sealContext(merchant, purpose, record)

/** The context that the vault binds into the sealed text of a merchant's record. */
export const sealContext = (merchant: string, purpose: Purpose, record: string) => ({ merchant, purpose, record })
