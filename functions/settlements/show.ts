import { endpoint } from '#shared/http/endpoint.ts'
import { settlement } from '#shared/resources/settlement.ts'
import { settlements } from '#shared/store/settlements.ts'

/**
 * Shows one settlement.
 * @refuses not_found
 */
export const handler = endpoint('GET /settlements/:id', {
  returns: settlement,
  async run({ params, work }) {
    return { answer: await work.get(settlements, params.id) }
  },
})
