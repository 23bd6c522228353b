import { endpoint } from '#shared/http/endpoint.ts'
import { listOf } from '#shared/resources/list.ts'
import { ListSettlements, settlement } from '#shared/resources/settlement.ts'
import { pageOfRecords } from '#shared/store/list-query.ts'
import { settlementList, settlements } from '#shared/store/settlements.ts'

/**
 * Lists settlements, newest first.
 * @refuses invalid_parameter
 */
export const handler = endpoint('GET /settlements', {
  request: ListSettlements,
  returns: listOf(settlement),
  async run({ request, work }) {
    return { answer: await pageOfRecords(work, settlements, settlementList(work.merchant), request) }
  },
})
