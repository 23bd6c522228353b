import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { openText, sealText } from '#shared/store/sealed.ts'
import type { Work } from '#shared/store/work.ts'

/** Seals payment details for the record that will hold them, as base64. */
export const sealDetails = (work: Work, record: string, details: PaymentDetails): Promise<string> =>
  sealText(work, 'payment_details', record, JSON.stringify(details))

/** Opens what `sealDetails` sealed for this record. Throws `SealBroken` for any other. */
export const openDetails = async (work: Work, record: string, sealed: string): Promise<PaymentDetails> =>
  JSON.parse(await openText(work, 'payment_details', record, sealed))
