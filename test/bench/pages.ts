import { gzipSync } from 'node:zlib'
import { openSession, RETURN_URL } from '#test/browser/browsing.ts'
import { type Api, card, konbini, openApi } from '#test/fixtures/api.ts'
import { heading, mark, median, note, table } from './report.ts'

const KILOBYTES_AT_MOST = 45
const ROUNDS = 100

/** Measures the size of each page, including style and script, and its response time beside that of a payment. */
export async function pagesBench(): Promise<void> {
  heading('Pages')
  note(
    'KB as sent, which is the whole page, because pages load nothing else. Packed: the size with gzip. The time is the',
    `median of ${ROUNDS} requests, one at a time. The ratio is to GET /payments/:id, in alternating requests.`,
  )
  const api = await openApi()
  try {
    const rows: (string | number)[][] = []
    for (const [name, url] of Object.entries(await pagesOf(api))) rows.push([name, ...(await weighed(api, url))])
    table(['page', 'KB', 'aim', 'packed KB', 'ms', 'ratio'], rows)
  } finally {
    await api.close()
  }
}

async function pagesOf(api: Api): Promise<Record<string, string>> {
  const pay = async (payment_details: object) => {
    const { body } = await api.request('POST /payments', { json: { amount: 1000, currency: 'JPY', payment_details } })
    return body.payment_details
  }
  const line_items = Array.from({ length: 40 }, (_, at) => ({ description: `Article ${at + 1}`, amount: 25 }))
  const secure = { amount: 1000, currency: 'JPY', return_url: RETURN_URL, payment_details: card('4100000000000100') }
  return {
    'session, all methods': (await openSession(api)).session_url,
    'session, card and konbini': (await openSession(api, { payment_types: ['credit_card', 'konbini'] })).session_url,
    'session, 40 items': (await openSession(api, { line_items, payment_types: ['credit_card'] })).session_url,
    'wallet approval': (await pay({ type: 'paypay' })).redirect_url,
    '3-D Secure': (await api.request('POST /secure_tokens', { json: secure })).body.authentication_url,
    'instructions, konbini': (await pay(konbini)).instructions_url,
  }
}

async function weighed(api: Api, url: string): Promise<(string | number)[]> {
  const { body: payment } = await api.request('POST /payments', {
    json: { amount: 1000, currency: 'JPY', payment_details: card() },
  })
  const html = Buffer.from(await (await fetch(url)).arrayBuffer())
  const times: number[] = []
  const beside: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    times.push(await milliseconds(async () => (await fetch(url)).arrayBuffer()))
    beside.push(await milliseconds(() => api.request(`GET /payments/${payment.id}`)))
  }
  const kilobytes = html.length / 1024
  const aim = mark({ value: kilobytes, at_most: KILOBYTES_AT_MOST })
  const packed = gzipSync(html).length / 1024
  const ratio = median(times) / median(beside)
  return [kilobytes.toFixed(1), aim, packed.toFixed(1), median(times).toFixed(2), ratio.toFixed(2)]
}

async function milliseconds(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}
