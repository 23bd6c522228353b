import { sealText } from '#shared/crypto/sealed-text.ts'
import { newPayment } from '#shared/domain/new-payment.ts'
import type { PaymentWebhook } from '#shared/domain/payment.ts'
import type { CreatePayment } from '#shared/resources/payment.ts'
import { refuseExpired } from '#shared/resources/payment-details.ts'
import type { OperationContext } from '#shared/store/operation-lease.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { chargedSource, findSource } from './payment-source.ts'
import { type OperationResult, runOperation } from './run-operation.ts'

/** Creates a payment from a merchant's request and charges it. Refuses an expired card with `invalid_parameter`. */
export function createPayment(
  work: UnitOfWork,
  operation: OperationContext,
  request: CreatePayment,
): Promise<OperationResult> {
  return runOperation(work, operation, {
    async begin() {
      if (typeof request.payment_details === 'object') refuseExpired(request.payment_details, work.now())
      const source = await findSource(work, request)
      const id = work.newId('payment')
      const next = newPayment(
        { ...request, verified_by: source.verified_by, webhooks: await sealedWebhooks(work, id, request.webhooks) },
        source,
        id,
        work.now(),
      )
      return {
        next,
        operation: next.in_flight[0]!,
        also: source.use(id),
        token: source.token,
        reference: source.reference,
      }
    },
    source: chargedSource(work, request),
  })
}

/**
 * Returns the webhooks of a payment as they are stored. Each secret is sealed for `record`, the id of the payment or
 * session that names the webhooks, so that read access to the table is not enough to sign events.
 */
export function sealedWebhooks(
  work: UnitOfWork,
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
