import { type Api, card, openApi, type Reply, type RequestOptions } from '#test/fixtures/api.ts'
import { pathWith } from '#test/fixtures/route-requests.ts'
import type { Case, Send } from './cases.ts'
import { everyCase } from './every-case.ts'
import { type Cost, type Costs, PlatformMeter } from './measured-platform.ts'
import { heading, mark, note, table } from './report.ts'

const DAYS = 2
const DAY_MS = 86_400_000
const RECORDS_A_DAY = 120

/** What each served row asks of its platform, one request at a time. */
export async function platformCallsBench(): Promise<void> {
  heading('Calls of the platform by one request')
  note(
    'Waits are calls of table, vault or queue that begin after another one has ended: what is under way together is one',
    'wait. RU and WU are units of the table, of consistent reads and of transactional writes. The sandbox acquirer keeps its',
    `ledger in the same table; its calls stand apart. ${LISTS}`,
  )
  const rows = (await measuredCases()).map(rowOf)
  table(['route', 'with', 'waits', 'aim', 'calls', 'RU', 'WU', "acquirer's waits", 'calls', 'RU', 'WU'], rows)
}

/** How long the lists are that the measured requests read. */
export const LISTS = `Lists hold about ${DAYS * RECORDS_A_DAY} records of ${DAYS} days and have been read before, so that their closed hours and days are counted.`

/** A request that was made, with what it asked of the platform and how large its answer was. */
export interface MeasuredCase {
  readonly of: Case
  readonly costs: Costs
  readonly answer_bytes: number
}

/** Makes a request of each served row at least, one after the other. */
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

/** Requests of a merchant that the measured platform knows. Throws when one is not served. */
async function replierOf(api: Api): Promise<Replier> {
  const { body: merchants } = await api.request('POST /_local/merchants')
  return async (route, options = {}) => {
    const reply = await api.request(route, { key: merchants.test.secret_key, ...options })
    if (reply.status !== 200 && reply.status !== 302) throw new Error(`${route} answered ${reply.text}`)
    return reply
  }
}

/** Makes the lists long enough that a page of them is looked up by counts. */
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
