import { LEASE_MS, leaseEnded } from '#shared/domain/delivery.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { endingLease, ttlsOfRunningLeases } from '#shared/http/idempotency.ts'
import type { DueRange, Key } from '#shared/platform/ports.ts'
import { workOn } from '#shared/scheduling/worker-batch.ts'
import { changed } from '#shared/store/change.ts'
import { deliveries } from '#shared/store/deliveries.ts'
import { type DueKind, shardsOf } from '#shared/store/keys.ts'
import type { LocalPlatform } from './local-platform.ts'

/**
 * Makes everything due at once that an earlier process of the data folder left in progress: the requests with an
 * idempotency key, the deliveries, and the events without deliveries. It ends the leases of that process and passes its
 * outbox records to the fan-out. Call it before the first request: the lock of the folder shows that no other process
 * serves from it, so every lease in the table belongs to a process that has ended. A lease that ends this way is taken
 * over as after its expiry: a begun operation is resumed by an inquiry and never sent twice.
 */
export async function resumeInterruptedWork(platform: LocalPlatform): Promise<void> {
  const [interrupted, events] = await Promise.all([dueSoon(platform, 'delivery'), dueSoon(platform, 'outbox')])
  await Promise.all([endLeasesOfKeys(platform), ...interrupted.map((key) => endLeaseOfDelivery(platform, key))])
  platform.stream.add(events)
}

async function endLeasesOfKeys({ table, clock }: LocalPlatform): Promise<void> {
  const writes = table.withTtlIn(ttlsOfRunningLeases(clock.now())).flatMap((item) => endingLease(item) ?? [])
  await Promise.all(writes.map((write) => table.write([write])))
}

/** Ends the lease of a delivery, if the delivery has one. A delivery that waits for a retry keeps its time. */
async function endLeaseOfDelivery(platform: LocalPlatform, key: Key): Promise<void> {
  const work = await workOn(platform, key)
  const delivery = await work.at(deliveries, key)
  if (delivery?.lease) await work.commit([changed(deliveries, leaseEnded(delivery, work.now()))])
}

/**
 * Returns the keys of a kind that fall due within the length of a lease. Those that were in progress are among them: a
 * lease of a delivery ends within this time, and an outbox record falls due within it. The sweep finds what is overdue.
 */
async function dueSoon(platform: LocalPlatform, kind: DueKind): Promise<Key[]> {
  const now = platform.clock.now()
  const range = { after: timestamp(now), until: timestamp(now + LEASE_MS) }
  const shards = await Promise.all(shardsOf(kind).map((shard) => allDue(platform, { shard, ...range })))
  return shards.flat()
}

async function allDue({ table }: LocalPlatform, range: DueRange): Promise<Key[]> {
  const found: Key[] = []
  let next: string | undefined
  do {
    const page = await table.due({ ...range, next })
    found.push(...page.keys.map(({ pk, sk }) => ({ pk, sk })))
    next = page.next
  } while (next !== undefined)
  return found
}
