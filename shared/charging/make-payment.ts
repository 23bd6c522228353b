import { createPayment } from '#shared/domain/create-payment.ts'
import type { Refusal } from '#shared/domain/errors.ts'
import type { Payment, PaymentWebhook } from '#shared/domain/payment.ts'
import type { CreatePayment } from '#shared/resources/payment.ts'
import { refuseExpired } from '#shared/resources/payment-details.ts'
import type { Change } from '#shared/store/change.ts'
import { sealText } from '#shared/store/sealed.ts'
import type { Work } from '#shared/store/work.ts'
import { findSource, openSource } from './source.ts'
import { throughAcquirer } from './through-acquirer.ts'

/** Makes a payment as a merchant asks for it, and charges it. */
export function makePayment(
  work: Work,
  request: CreatePayment,
): Promise<{ changes: readonly Change[]; answer: Payment | Refusal }> {
  return throughAcquirer(work, {
    async begin() {
      if (typeof request.payment_details === 'object') refuseExpired(request.payment_details, work.now())
      const source = await findSource(work, request)
      const id = work.newId('payment')
      const next = createPayment(
        { ...request, verified_by: source.verified_by, webhooks: await sealedWebhooks(work, id, request.webhooks) },
        source,
        id,
        work.now(),
      )
      return { next, operation: next.in_flight[0]!, also: source.use(id), token: source.token }
    },
    details: () => openSource(work, request),
  })
}

/**
 * The webhooks of a payment as they are kept, sealed for the payment or session that brings them: whoever reads the table
 * cannot sign in the merchant's name.
 */
export function sealedWebhooks(
  work: Work,
  record: string,
  webhooks: CreatePayment['webhooks'],
): Promise<PaymentWebhook[]> {
  return Promise.all(
    webhooks.map(async ({ url, events, secret_key }) => ({
      url,
      events,
      secret_sealed: secret_key === undefined ? null : await sealText(work, 'webhook_secret', record, secret_key),
    })),
  )
}
