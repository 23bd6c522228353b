import { endpoint } from '#shared/http/endpoint.ts'
import { event, ListEvents } from '#shared/resources/event.ts'
import { listOf } from '#shared/resources/list.ts'
import { eventList, events } from '#shared/store/events.ts'
import { pageOfRecords } from '#shared/store/list-query.ts'

/**
 * Lists events, newest first.
 * @refuses invalid_parameter, unprocessable_entity
 */
export const handler = endpoint('GET /events', {
  request: ListEvents,
  returns: listOf(event),
  async run({ request, work }) {
    const { type } = request
    const accepts = type && ((facet: string) => type.some((wanted) => wanted === facet))
    return { answer: await pageOfRecords(work, events, eventList(work.merchant), request, accepts) }
  },
})
