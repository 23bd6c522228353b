import { endpoint } from '#shared/http/endpoint.ts'
import { event } from '#shared/resources/event.ts'
import { events } from '#shared/store/events.ts'

/**
 * Shows one event.
 * @refuses not_found
 */
export const handler = endpoint('GET /events/:id', {
  returns: event,
  async run({ params, work }) {
    return { answer: await work.get(events, params.id) }
  },
})
