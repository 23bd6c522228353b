import { endpoint } from '#shared/http/endpoint.ts'
import { listOf } from '#shared/resources/list.ts'
import { ListPayments, payment } from '#shared/resources/payment.ts'
import { pageOfRecords } from '#shared/store/list-query.ts'
import { payments, paymentsBy } from '#shared/store/payments.ts'

/**
 * Lists payments, newest first.
 * @refuses invalid_currency, invalid_parameter, unprocessable_entity
 */
export const handler = endpoint('GET /payments', {
  request: ListPayments,
  returns: listOf(payment),
  async run({ request, work }) {
    const { list, accepts } = paymentsBy(work.merchant, request)
    return { answer: await pageOfRecords(work, payments, list, request, accepts) }
  },
})
