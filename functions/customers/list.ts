import { endpoint } from '#shared/http/endpoint.ts'
import { customer, ListCustomers } from '#shared/resources/customer.ts'
import { listOf } from '#shared/resources/list.ts'
import { customerList, customers } from '#shared/store/customers.ts'
import { pageOfRecords } from '#shared/store/list-query.ts'

/**
 * Lists customers, newest first.
 * @refuses invalid_parameter, unprocessable_entity
 */
export const handler = endpoint('GET /customers', {
  request: ListCustomers,
  returns: listOf(customer),
  async run({ request, work }) {
    return { answer: await pageOfRecords(work, customers, customerList(work.merchant, request.email), request) }
  },
})
