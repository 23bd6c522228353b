import { openApi, START } from '#test/fixtures/api.ts'
import { signatureOf, stripeEvent, withStripe } from '#test/fixtures/stripe-notifications.ts'
import { heading, mark, median, note, table } from './report.ts'

const COUNT = 2_000
const AT_ONCE = 4
const P99_MS_AT_MOST = 300

/** Measures how long notifications of Stripe take that arrive for the first time, and those that arrive again. */
export async function notificationsBench(): Promise<void> {
  heading('Notifications')
  note(`${COUNT} signed notifications of Stripe over HTTP, ${AT_ONCE} at once.`)
  const api = await openApi({ around: (platform) => withStripe(platform) })
  const texts = Array.from({ length: COUNT }, (_, number) => JSON.stringify(stripeEvent(`evt_${number}`), null, 2))
  try {
    const rows: (string | number)[][] = []
    for (const name of ['first', 'again']) {
      const times = (await sent(`${api.url}/notifications/stripe`, texts)).sort((one, other) => one - other)
      const p99 = times[Math.ceil(times.length * 0.99) - 1]!
      rows.push([name, median(times).toFixed(1), p99.toFixed(1), mark({ value: p99, at_most: P99_MS_AT_MOST })])
    }
    table(['notification', 'median ms', 'p99 ms', 'aim'], rows)
  } finally {
    await api.close()
  }
}

/** Posts each text once, and returns the time that each took. */
async function sent(url: string, texts: readonly string[]): Promise<number[]> {
  const times: number[] = []
  const waiting = [...texts]
  const sender = async () => {
    for (let body = waiting.pop(); body !== undefined; body = waiting.pop()) {
      const headers = { 'stripe-signature': signatureOf(body, START) }
      const began = performance.now()
      const { status } = await fetch(url, { method: 'POST', headers, body })
      times.push(performance.now() - began)
      if (status !== 200) throw new Error(`a notification was answered with ${status}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sender))
  return times
}
