/** The state of an alarm at CloudWatch. An alarm without data yet is `unknown`. */
export type AlarmState = 'ok' | 'alarm' | 'unknown'

/** What the alarms say about a candidate: it is good, it must wait for more data, or it is bad for a reason. */
export type Verdict = { readonly is: 'good' | 'wait' } | { readonly is: 'bad'; readonly because: string }

const MINUTE_MS = 60_000

/**
 * `verdictOn` judges a candidate that has baked for `baked_ms`. One alarm is enough to refuse it. An alarm that does
 * not exist refuses it as well, because nothing would watch the release. A candidate whose alarms have no data waits
 * for twice the time at most.
 */
export function verdictOn(
  alarms: ReadonlyMap<string, AlarmState | undefined>,
  { baked_ms, bake_minutes }: { readonly baked_ms: number; readonly bake_minutes: number },
): Verdict {
  const named = (state: AlarmState | undefined) => [...alarms].flatMap(([name, its]) => (its === state ? [name] : []))
  const [firing, missing, unknown] = [named('alarm'), named(undefined), named('unknown')]
  if (firing.length > 0) return { is: 'bad', because: `These alarms fire: ${firing.join(', ')}.` }
  if (missing.length > 0) return { is: 'bad', because: `These alarms do not exist: ${missing.join(', ')}.` }
  const bake_ms = bake_minutes * MINUTE_MS
  if (baked_ms < bake_ms) return { is: 'wait' }
  if (unknown.length === 0) return { is: 'good' }
  if (baked_ms < 2 * bake_ms) return { is: 'wait' }
  return { is: 'bad', because: `These alarms have no data: ${unknown.join(', ')}.` }
}
