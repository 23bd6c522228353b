import type { Event } from '#shared/domain/event.ts'
import { lanesOf, listPk, recordKey } from './keys.ts'
import type { Kind } from './kind.ts'
import { type List, wholeFacet } from './list-keys.ts'

/** Events, in one list. The facet of an entry is the event type, so the list can be filtered by type. */
export const events: Kind<Event> = {
  name: 'event',
  key: (merchant, { id }) => recordKey('event', merchant, id),
  entries: (merchant, { id, type }) => [{ list: eventList(merchant), id, facet: type }],
  as_text: ['data'],
}

export const eventList = (merchant: string): List => ({
  pk: listPk('event', merchant),
  prefix: 'evt_',
  counted: true,
  lanes: lanesOf('event', merchant),
  facetOf: wholeFacet,
})
