import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import type { Work } from '#shared/store/work.ts'

/** Seals a secret for the record that will hold it, as base64; opened for any other record, it stays shut. */
export async function sealText(work: Work, record: string, text: string): Promise<string> {
  const sealed = await work.platform.vault.seal(Buffer.from(text), contextOf(work, record))
  return Buffer.from(sealed).toString('base64')
}

/** Seals payment details for the record that will hold them. */
export const sealDetails = (work: Work, record: string, details: PaymentDetails): Promise<string> =>
  sealText(work, record, JSON.stringify(details))

/** Opens what `sealDetails` sealed for this record. Throws `SealBroken` for any other. */
export async function openDetails(work: Work, record: string, sealed: string): Promise<PaymentDetails> {
  const plain = await work.platform.vault.open(Buffer.from(sealed, 'base64'), contextOf(work, record))
  return JSON.parse(Buffer.from(plain).toString())
}

const contextOf = ({ merchant }: Work, record: string) => ({ merchant, record })
