import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { openText, type Sealing, sealText } from './sealed-text.ts'

/** Seals payment details for the record that holds them, as base64. */
export const sealDetails = (sealing: Sealing, record: string, details: PaymentDetails): Promise<string> =>
  sealText(sealing, 'payment_details', record, JSON.stringify(details))

/** Opens payment details that `sealDetails` sealed for this record. Throws `SealBroken` for any other record. */
export const openDetails = async (sealing: Sealing, record: string, sealed: string): Promise<PaymentDetails> =>
  JSON.parse(await openText(sealing, 'payment_details', record, sealed))
