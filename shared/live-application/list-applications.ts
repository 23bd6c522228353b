import type { Application } from '#shared/domain/application.ts'
import { type ApplicationState, stateOf } from '#shared/domain/application-states.ts'
import type { WholePlatform } from '#shared/platform/ports.ts'
import { applications } from '#shared/store/applications.ts'
import { findItems, type OnProgress } from '#shared/store/find-items.ts'
import { applicationKey, merchantAndId, merchantKey } from '#shared/store/keys.ts'
import { recordOf } from '#shared/store/kind.ts'
import { type Merchant, merchants } from '#shared/store/merchants.ts'

/** An application of a live merchant, as the operator's list shows it. */
export interface ListedApplication {
  readonly merchant: Merchant
  readonly state: ApplicationState
  readonly submitted_at: string | null
}

/** The most items that the table reads at once. */
const READ_AT_ONCE_MAX = 100

/**
 * Lists the applications of live merchants, oldest submission first. An application that was never submitted is not in
 * the list. With `state`, the list has only the applications in this state. Reads the whole table, because only the
 * operator asks, and rarely.
 */
export async function listApplications(
  { table }: WholePlatform,
  state: ApplicationState | undefined,
  onProgress?: OnProgress,
): Promise<ListedApplication[]> {
  const found: { id: string; application: Application }[] = []
  const isApplication = ({ pk }: { pk: string }) =>
    pk === applicationKey(merchantAndId(pk).merchant, 'live_application').pk
  for await (const item of findItems(table, { kind: 'application' }, isApplication, onProgress)) {
    const application = recordOf(applications, item)
    if (state === undefined || stateOf(application) === state)
      found.push({ id: merchantAndId(item.pk).merchant, application })
  }
  const listed: ListedApplication[] = []
  for (let at = 0; at < found.length; at += READ_AT_ONCE_MAX) {
    const some = found.slice(at, at + READ_AT_ONCE_MAX)
    const items = await table.get(some.map(({ id }) => merchantKey(id)))
    for (const [index, item] of items.entries()) {
      const { application } = some[index]!
      const { submitted_at } = application
      if (item) listed.push({ merchant: recordOf(merchants, item), state: stateOf(application), submitted_at })
    }
  }
  return listed
    .filter(({ merchant }) => merchant.mode === 'live')
    .sort((one, other) => (one.submitted_at ?? '').localeCompare(other.submitted_at ?? ''))
}
