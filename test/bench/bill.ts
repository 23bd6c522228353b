import { dollarsFor, type Priced, prices } from './prices.ts'
import type { Usage } from './usage.ts'

/** The cost of a usage in US dollars, in total and by AWS service. */
export interface Bill {
  readonly total: number
  readonly by_service: Readonly<Partial<Record<(typeof prices)[Priced]['service'], number>>>
}

/** The bill for a multiple of a usage. */
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
