import type { Vault } from '#shared/platform/ports.ts'

/** The purpose of sealed text. The vault binds the purpose into the ciphertext, so a role can be limited to one. */
export type Purpose = 'payment_details' | 'webhook_secret'

/** The vault, and the merchant whose secrets it seals. */
export interface Sealing {
  readonly platform: { readonly vault: Vault }
  readonly merchant: string
}

/** Seals a secret for one record, as base64. Only the same merchant, record and purpose open the sealed secret. */
export async function sealText(sealing: Sealing, purpose: Purpose, record: string, text: string): Promise<string> {
  const sealed = await sealing.platform.vault.seal(Buffer.from(text), contextOf(sealing, purpose, record))
  return Buffer.from(sealed).toString('base64')
}

/** Opens text that `sealText` sealed for this record. Throws `SealBroken` for another merchant, record or purpose. */
export async function openText(sealing: Sealing, purpose: Purpose, record: string, sealed: string): Promise<string> {
  const plain = await sealing.platform.vault.open(Buffer.from(sealed, 'base64'), contextOf(sealing, purpose, record))
  return Buffer.from(plain).toString()
}

const contextOf = ({ merchant }: Sealing, purpose: Purpose, record: string) => sealContext(merchant, purpose, record)

/** The context that the vault binds into the sealed text of a merchant's record. */
export const sealContext = (merchant: string, purpose: Purpose, record: string) => ({ merchant, purpose, record })
