import type { Partitions } from '#test/partitions/partitions.ts'
import { ModelledService, partitionsFor } from './modelled-service.ts'
import { type Template, templatesOf } from './replay-templates.ts'
import { workSamples } from './work-samples.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

export interface LateFigures {
  readonly fan_outs: number
  readonly done: number
  /** When 99 % of the fan-outs were done, in virtual milliseconds; undefined if the run ended before. */
  readonly nearly_done_at: number | undefined
  /** When the last fan-out was done, in virtual milliseconds; undefined if the run ended before. */
  readonly done_at: number | undefined
  readonly ended_at: number
  readonly dead: number
  readonly returned: number
  readonly conflicts: number
  readonly throttled: { readonly read: number; readonly write: number }
  readonly deliveries: number
  /** The part of all partitions' limits that writes consumed in the busiest minute. */
  readonly write: number
}

/**
 * A sweep sends for 40 s of each minute. One call sends ten messages, and the function's processor needs a millisecond
 * for it.
 */
const SENDING_MS = 40 * SECOND
const SENT_EVERY_MS = 100
const SENT_AT_ONCE = 1_000

/** The run ends after this time, also if fan-outs are left. A message that fails five times needs 24 minutes. */
const ENDS_MS = 30 * MINUTE

const SAMPLES = 1_000
const NEARLY = 0.99

/** Fans out the events of an hour in which no fan-out ran, each to one webhook, at prod's limits of workers. */
export async function lateFanOuts(fan_outs: number): Promise<LateFigures> {
  const wanted = { payments: SAMPLES, apart_ms: HOUR / SAMPLES, webhooks: 1, deliveries_max: 1, late_ms: HOUR }
  const { templates } = templatesOf(await workSamples(wanted))
  const service = new ModelledService(partitionsFor(templates[0]!))
  const { time, replay, chores, deliveries, ended } = service
  service.spendBursts()
  sweepOutbox(service, templates, fan_outs)
  const isDone = () => ended.fan_outs + chores.dead === fan_outs
  let nearly_done_at: number | undefined
  while (!isDone() && time.now < ENDS_MS) {
    time.runUntil(time.now + SECOND)
    if (ended.fan_outs >= NEARLY * fan_outs) nearly_done_at ??= time.now
  }
  return {
    ...{ fan_outs, done: ended.fan_outs, nearly_done_at, done_at: isDone() ? time.now : undefined, ended_at: time.now },
    dead: chores.dead + deliveries.dead,
    returned: chores.returned + deliveries.returned,
    conflicts: replay.answers.conflicts,
    throttled: replay.answers.throttled,
    deliveries: ended.deliveries,
    write: busiestMinute(service.table),
  }
}

function busiestMinute({ all, replaced }: Partitions): number {
  const minutes = Map.groupBy(
    [...all, ...replaced].flatMap((partition) => partition.minutes),
    ({ ends }) => ends,
  )
  const parts = [...minutes.values()].map((minute) => minute.reduce((sum, { write }) => sum + write, 0) / all.length)
  return Math.max(0, ...parts)
}

/** Queues the outbox rows of the hour, oldest first. */
function sweepOutbox({ time, chores }: ModelledService, templates: readonly Template[], fan_outs: number): void {
  let sent = 0
  const send = () => {
    for (const until = Math.min(fan_outs, sent + SENT_AT_ONCE); sent < until; sent++) {
      const part = sent / fan_outs
      const template = templates[Math.floor(part * templates.length)]!
      const born = -HOUR + part * HOUR
      chores.send({ order: { number: sent, template, paid_at: born, born }, index: 0 })
    }
    if (sent === fan_outs) return
    const is_sending = (time.now + SENT_EVERY_MS) % MINUTE < SENDING_MS
    time.after(is_sending ? SENT_EVERY_MS : MINUTE - (time.now % MINUTE), send)
  }
  send()
}
