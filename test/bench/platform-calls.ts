import { type Api, card, openApi, type Reply, type RequestOptions } from '#test/fixtures/api.ts'
import { pathWith } from '#test/fixtures/route-requests.ts'
import type { Case, Send } from './cases.ts'
import { everyCase } from './every-case.ts'
import { type Cost, type Costs, PlatformMeter } from './measured-platform.ts'
import { heading, mark, note, table } from './report.ts'

const DAYS = 2
const DAY_MS = 86_400_000
const RECORDS_A_DAY = 120

/** Measures the platform calls of each served route, one request at a time. */
export async function platformCallsBench(): Promise<void> {
  heading('Calls of the platform by one request')
  note(
    'Waits are calls of table, vault, bucket or queue that begin after another one has ended: concurrent calls are one',
    'wait. RU and WU are the units of the table for consistent reads and transactional writes. The sandbox acquirer keeps its',
    `ledger in the same table; its calls are in separate columns. ${LISTS}`,
  )
  const rows = (await measuredCases()).map(rowOf)
  table(['route', 'with', 'waits', 'aim', 'calls', 'RU', 'WU', "acquirer's waits", 'calls', 'RU', 'WU'], rows)
}

/** The length of the lists that the measured requests read. */
export const LISTS = `Lists hold about ${DAYS * RECORDS_A_DAY} records of ${DAYS} days and have been read before, so that their closed hours and days are counted.`

/** A measured request with its costs and the size of its response. */
export interface MeasuredCase {
  readonly of: Case
  readonly costs: Costs
  readonly answer_bytes: number
}

/** Makes at least one request of each served route, one after the other. */
export async function measuredCases(): Promise<MeasuredCase[]> {
  const meter = new PlatformMeter()
  const api = await openApi({ around: (platform) => meter.around(platform) })
  try {
    const reply = await replierOf(api)
    const send: Send = async (route, options) => (await reply(route, options)).body
    await fill(api, send)
    const measured: MeasuredCase[] = []
    for (const of of everyCase()) {
      const { id = '', params = { id }, query = '', ...options } = await of.request(send)
      meter.take()
      const { text } = await reply(pathWith(of.route, params) + query, { redirect: 'manual', ...options })
      measured.push({ of, costs: meter.take(), answer_bytes: Buffer.byteLength(text) })
    }
    return measured
  } finally {
    await api.close()
  }
}

type Replier = (route: string, options?: RequestOptions) => Promise<Reply>

/** Requests of a merchant of the measured platform. Throws if a request fails. */
async function replierOf(api: Api): Promise<Replier> {
  const { body: merchants } = await api.request('POST /_local/merchants')
  return async (route, options = {}) => {
    const reply = await api.request(route, { key: merchants.test.secret_key, ...options })
    if (reply.status !== 200 && reply.status !== 302) throw new Error(`${route} answered ${reply.text}`)
    return reply
  }
}

/** Fills the lists, so that their pages use counts. */
async function fill(api: Api, send: Send): Promise<void> {
  const { clock } = api.platform
  for (let day = 0; day < DAYS; day++) {
    for (let count = 0; count < RECORDS_A_DAY; count++) {
      const { id: customer } = await send('POST /customers', { json: { payment_details: card() } })
      await send('POST /payments', { json: { amount: 1000, currency: 'JPY', customer } })
    }
    clock.turnTo(clock.now() + DAY_MS)
  }
  for (const list of ['GET /customers', 'GET /payments', 'GET /events']) await send(list)
}

function rowOf({ of: { route, as = '', most_waits }, costs: { service, acquirer } }: MeasuredCase) {
  const aim = most_waits === undefined ? '' : mark({ value: service.waits, at_most: most_waits })
  const asked = acquirer.calls > 0
  return [
    route,
    as,
    service.waits,
    aim,
    ...countsOf(service),
    ...(asked ? [acquirer.waits, ...countsOf(acquirer)] : ['', '', '', '']),
  ]
}

const countsOf = ({ calls, read_units, write_units }: Cost): number[] => [calls, read_units, write_units]
