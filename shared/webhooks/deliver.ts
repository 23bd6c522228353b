import { randomUUID } from 'node:crypto'
import { openText } from '#shared/crypto/sealed-text.ts'
import { type AttemptError, type AttemptOutcome, attempted, type Delivery, leased } from '#shared/domain/delivery.ts'
import type { Event } from '#shared/domain/event.ts'
import { creationTimeOf } from '#shared/domain/ids.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { type LogEntry, type Message, PlatformUnavailable, WriteConflict } from '#shared/platform/ports.ts'
import { changed } from '#shared/store/change.ts'
import { deliveries, deliveryAttempts } from '#shared/store/deliveries.ts'
import { events } from '#shared/store/events.ts'
import { merchantAndId } from '#shared/store/keys.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { guardedPost } from './guarded-post.ts'
import { type Receiver, receiverOf } from './receiver.ts'
import { bodyOf, headersOf } from './signature.ts'

/**
 * How long after the start of the work on a delivery its attempt may still be recorded, in milliseconds. The rest of the
 * 30 seconds of the function is for the last try.
 */
const RECORD_WITHIN_MS = 20_000

/** The longest wait before the attempt is recorded again, in milliseconds. */
const WAIT_MS_MAX = 2_000

/** Sends a request to a receiver and returns the outcome. Never throws. */
export type Post = typeof guardedPost

/**
 * Makes the due attempt of a delivery: takes the lease, calls the receiver and records the outcome. A message whose
 * `due_at` differs from that of the delivery is dropped, because the attempt was made already or another worker holds
 * the lease.
 */
export async function deliver(work: UnitOfWork, { pk, sk, due_at }: Message, post: Post = guardedPost): Promise<void> {
  const item = await work.read({ pk, sk })
  const before = item?.due_at === due_at ? await work.find(deliveries, merchantAndId(pk).id) : undefined
  if (!before) return
  const token = randomUUID()
  const began_at = work.now()
  // `prepare` comes before the lease: if `prepare` fails, the message fails and is logged, and no lease blocks the
  // delivery.
  const ready = await prepare(work, before)
  if (!(await takeHold(work, before, token))) return
  const made = await attempt(work, before, ready, post)
  // A recorded attempt releases its lease. So a lease that is still there belongs to an attempt that was not recorded.
  const unrecorded = before.lease ? ({ after_unrecorded: true } as const) : {}
  await untilRecorded(work, () =>
    retryOnConflict(work, () => record(work, before.id, { ...made, ...unrecorded, token, began_at })),
  )
}

/**
 * Repeats `act` with backoff while the platform is unavailable and the time of the function allows it. A POST whose
 * attempt is not recorded is made again once the lease expires.
 */
async function untilRecorded(work: UnitOfWork, act: () => Promise<void>): Promise<void> {
  const { clock } = work.platform
  for (let wait_ms = 100; ; wait_ms = Math.min(2 * wait_ms, WAIT_MS_MAX)) {
    try {
      return await act()
    } catch (error) {
      const is_last = work.realNow() + wait_ms > work.began_at + RECORD_WITHIN_MS
      if (!(error instanceof PlatformUnavailable) || is_last) throw error
    }
    await clock.wait(wait_ms)
    work.forget()
  }
}

/** Takes the lease of a delivery. Returns false if a version check fails, because a concurrent change won the race. */
async function takeHold(work: UnitOfWork, delivery: Delivery, token: string): Promise<boolean> {
  try {
    await work.commit([changed(deliveries, leased(delivery, token, work.realNow()))])
    return true
  } catch (error) {
    if (error instanceof WriteConflict) return false
    throw error
  }
}

/** The input of an attempt: the event, the current receiver, and the receiver's secrets in plain text. */
interface Ready {
  readonly event: Event
  readonly receiver: Receiver
  readonly secrets: readonly string[]
}

async function prepare(work: UnitOfWork, delivery: Delivery): Promise<Ready> {
  const [event, receiver] = await Promise.all([work.get(events, delivery.event), receiverOf(work, delivery)])
  if ('error' in receiver) return { event, receiver, secrets: [] }
  const { record, sealed } = receiver
  return {
    event,
    receiver,
    secrets: await Promise.all(sealed.map((one) => openText(work, 'webhook_secret', record, one))),
  }
}

interface MadeAttempt {
  readonly token: string
  readonly url: string
  readonly outcome: AttemptOutcome
  /** The start of the attempt, in epoch milliseconds. */
  readonly began_at: number
  readonly after_unrecorded?: true
}

/** Records an attempt, unless another worker has taken over the lease. The token of the lease is the fencing token. */
async function record(
  work: UnitOfWork,
  id: string,
  { token, url, outcome, began_at, ...unrecorded }: MadeAttempt,
): Promise<void> {
  const delivery = await work.get(deliveries, id)
  if (delivery.lease?.token !== token) return
  const number = delivery.attempts_made
  const attempted_at = timestamp(began_at)
  const next = { ...attempted(delivery, outcome, attempted_at, work.now()), url }
  await work.commit([
    changed(deliveries, next, [], { log: lineOf(work, next, outcome, began_at) }),
    changed(deliveryAttempts, { ...outcome, ...unrecorded, version: 0, delivery: id, number, attempted_at }),
  ])
}

/**
 * Returns the log entry of an attempt. The entry of the first attempt also has the time from the event to the start of
 * the attempt, in milliseconds.
 */
function lineOf(
  { merchant, ahead_ms }: UnitOfWork,
  delivery: Delivery,
  made: AttemptOutcome,
  began_at: number,
): LogEntry {
  const { id, event, status, attempts_made } = delivery
  return {
    level: 'info',
    event: 'delivery_attempted',
    merchant,
    record: id,
    attempt: attempts_made,
    outcome: status,
    status: made.status_code ?? undefined,
    code: made.error ?? undefined,
    latency_ms: made.latency_ms,
    first_latency_ms: attempts_made === 1 ? Math.max(0, began_at - ahead_ms - creationTimeOf(event)) : undefined,
  }
}

async function attempt(
  work: UnitOfWork,
  delivery: Delivery,
  { event, receiver, secrets }: Ready,
  post: Post,
): Promise<{ url: string; outcome: AttemptOutcome }> {
  if ('error' in receiver) return { url: delivery.url, outcome: withoutCall(receiver.error) }
  const { url } = receiver
  const body = bodyOf(event)
  const outcome = await post({
    url,
    body,
    headers: headersOf({ delivery: delivery.id, event, body, secrets, sent_at: realNow(work) }),
    https_only: work.mode === 'live',
    allow_loopback: work.platform.loopback_webhooks && work.mode === 'test',
    isOwnServer: work.platform.isOwnServer,
    resolve: work.platform.resolve,
  })
  return { url, outcome }
}

/**
 * The real time. Receivers compare the timestamp of a delivery with their own clock, which does not follow the clock of
 * a local run.
 */
const realNow = ({ platform: { clock } }: UnitOfWork): number => clock.realNow?.() ?? clock.now()

const withoutCall = (error: AttemptError): AttemptOutcome => ({
  status_code: null,
  latency_ms: 0,
  response_body: null,
  error,
})
