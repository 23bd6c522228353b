import type { EventPoll } from '#shared/domain/event-poll.ts'
import { eventPollKey } from './keys.ts'
import type { Kind } from './kind.ts'

/** How far the event list of each provider has been read. The records belong to no merchant and are always due. */
export const eventPolls: Kind<EventPoll> = {
  name: 'provider_events',
  key: (_merchant, { provider }) => eventPollKey(provider),
  due: ({ poll_at }) => poll_at,
  due_kind: 'provider_events',
}
