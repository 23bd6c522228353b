import * as v from 'valibot'
import { type Event, event_types } from '#shared/domain/event.ts'
import { optional, someOf } from './fields.ts'
import { list_fields } from './list.ts'

/** The filters of a list of events. */
export const ListEvents = v.object({
  type: v.pipe(
    optional(someOf(event_types)),
    v.description('Lists only events of this type, or of one of several types separated by commas.'),
  ),
  ...list_fields,
})
export type ListEvents = v.InferOutput<typeof ListEvents>

/** An event as a merchant sees it, in a response and in a delivery. */
export function event({ id, type, data, created_at }: Event) {
  return { id, type, resource: 'event' as const, data, created_at }
}
