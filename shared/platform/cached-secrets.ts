import type { AcquirerSecret, Clock, Secrets } from './ports.ts'

/** How long fetched credentials are used. */
const USED_MS = 300_000

/** The most credentials that `refetch` fetches within a minute. */
const REFETCHES_PER_MINUTE = 2
const MINUTE_MS = 60_000

/**
 * Returns secrets that are fetched by `fetch` and kept in memory for five minutes. Concurrent callers share one fetch.
 * Requests with wrong signatures cause at most two fetches a minute.
 */
export function cachedSecrets(fetch: () => Promise<AcquirerSecret>, clock: Clock): Secrets {
  let fetched: { readonly at: number; readonly secret: Promise<AcquirerSecret> } | undefined
  let refetched_at: readonly number[] = []
  const fetchNow = () => {
    const current = { at: clock.now(), secret: fetch() }
    fetched = current
    // A failed fetch is not kept, so the next caller fetches again.
    current.secret.catch(() => {
      if (fetched === current) fetched = undefined
    })
    return current.secret
  }
  const acquirer = () => (fetched && clock.now() < fetched.at + USED_MS ? fetched.secret : fetchNow())
  return {
    acquirer,
    refetch() {
      refetched_at = refetched_at.filter((at) => at > clock.now() - MINUTE_MS)
      if (refetched_at.length >= REFETCHES_PER_MINUTE) return acquirer()
      refetched_at = [...refetched_at, clock.now()]
      return fetchNow()
    },
  }
}
