import { dollarsFor, type Priced, prices } from './prices.ts'
import type { Usage } from './usage.ts'

/** What a usage costs in US dollars, in all and by whose bill it is on. */
export interface Bill {
  readonly total: number
  readonly by_service: Readonly<Partial<Record<(typeof prices)[Priced]['service'], number>>>
}

/** The bill for so many times a usage. */
export function billFor(usage: Usage, times: number): Bill {
  const by_service: Record<string, number> = {}
  let total = 0
  for (const [priced, amount] of Object.entries(usage) as [Priced, number][]) {
    const dollars = dollarsFor(priced, amount * times)
    const { service } = prices[priced]
    by_service[service] = (by_service[service] ?? 0) + dollars
    total += dollars
  }
  return { total, by_service }
}
