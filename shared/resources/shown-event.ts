import type { Event } from '#shared/domain/event.ts'

/**
 * Returns an event as a merchant sees it, in a response and in a delivery. `event.ts` has its schema, which deliveries
 * do not need.
 */
export const shownEvent = ({ id, type, data, created_at }: Event) => ({
  id,
  type,
  resource: 'event' as const,
  data,
  created_at,
})
