import { html } from 'hono/html'
import { ATTEMPTS_MAX, RETRY_WAITS, retryOffset } from '#shared/domain/retry-schedule.ts'
import type { Html } from './guide.ts'

const DAY_MS = 86_400_000

/** The size of the chart and of its margins, in units of its view box. */
const chart = { width: 640, height: 260, left: 44, right: 12, top: 28, bottom: 36 } as const

/** Shows the retry schedule of deliveries as a chart and as a table. */
export function retrySchedule(): Html {
  const rows = RETRY_WAITS.map((wait, at) => ({ retry: at + 1, wait, offset: retryOffset(at + 1) }))
  return html`<section class="entry"><h2 id="retries">Retry schedule</h2><p>A delivery is attempted at once. While your URL does not respond with a status from 200 to 299 within 15 seconds, it is attempted again, ${ATTEMPTS_MAX} times in all. The waits grow from ${duration(RETRY_WAITS[0])} to ${duration(RETRY_WAITS.at(-1)!)}, and the last retry happens ${Math.round(retryOffset(RETRY_WAITS.length) / DAY_MS)} days after the first attempt. Then the delivery is failed.</p><figure>${chartOf(rows)}<figcaption>The days since the first attempt at which each retry happens. The table below holds the same figures.</figcaption></figure><div class="scroll" tabindex="0"><table><thead><tr><th scope="col" class="number">Retry</th><th scope="col" class="number">Wait before it</th><th scope="col" class="number">Since the first attempt</th></tr></thead><tbody>${rows.map(({ retry, wait, offset }) => html`<tr><th scope="row" class="number">${retry}</th><td class="number">${duration(wait)}</td><td class="number">${duration(offset / 1000)}</td></tr>`)}</tbody></table></div></section>`
}

interface Retry {
  readonly retry: number
  readonly offset: number
}

function chartOf(rows: readonly Retry[]): Html {
  const { width, height, left, right, top, bottom } = chart
  const days = rows.at(-1)!.offset / DAY_MS
  const x = (retry: number) => Math.round(left + ((width - left - right) * retry) / rows.length)
  const y = (offset: number) => Math.round(height - bottom - ((height - top - bottom) * offset) / DAY_MS / days)
  const points = [{ retry: 0, offset: 0 }, ...rows].map(({ retry, offset }) => [x(retry), y(offset)] as const)
  const grid = [0, 5, 10, 15, 20, 25].map(
    (day) =>
      html`<path class="axis" d="M${left} ${y(day * DAY_MS)}H${width - right}"/><text x="${left - 8}" y="${y(day * DAY_MS) + 4}" text-anchor="end">${day}</text>`,
  )
  const marks = [0, 5, 10, 15, 20, 25].map(
    (retry) => html`<text x="${x(retry)}" y="${height - bottom + 18}" text-anchor="middle">${retry}</text>`,
  )
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="chart-title chart-text"><title id="chart-title">Retries of a delivery</title><desc id="chart-text">The horizontal axis counts the retries, the vertical axis the days since the first attempt. Twelve retries happen within the first day, the last one after 25 days.</desc>${grid}${marks}<text x="0" y="12">Days</text><text x="${width - right}" y="${height - 2}" text-anchor="end">Retry</text><path class="curve" d="M${points.map(([px, py]) => `${px} ${py}`).join('L')}"/>${points.map(([px, py]) => html`<circle class="dot" cx="${px}" cy="${py}" r="3"/>`)}</svg>`
}

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** Returns a duration in its two largest units: `1 h 38 min`. */
export function duration(seconds: number): string {
  const parts: string[] = []
  let rest = Math.round(seconds)
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count} ${unit}`)
  }
  return parts.slice(0, 2).join(' ')
}
