import { servedRoutes } from '#shared/routes.ts'
import { type Api, card, openApi, type RequestOptions } from '#test/support/api.ts'
import { type Case, cases, type Send } from './cases.ts'
import { type Cost, PlatformMeter } from './measured-platform.ts'
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
    `ledger in the same table; its calls stand apart. Lists hold about ${DAYS * RECORDS_A_DAY} records of ${DAYS} days and have been read before, so that`,
    'their closed hours and days are counted.',
  )
  const meter = new PlatformMeter()
  const api = await openApi({ around: (platform) => meter.around(platform) })
  try {
    const send = await senderOf(api)
    await fill(api, send)
    const rows: (string | number)[][] = []
    for (const each of cases) rows.push(await rowOf(meter, send, each))
    table(['route', 'with', 'waits', 'aim', 'calls', 'RU', 'WU', "acquirer's waits", 'calls', 'RU', 'WU'], rows)
  } finally {
    await api.close()
  }
  const measured = new Set(cases.map(({ route }) => route))
  const unmeasured = servedRoutes().filter(({ route }) => !measured.has(route))
  if (unmeasured.length > 0) note('Not measured here:', ...unmeasured.map(({ route }) => `  ${route}`))
}

/** Requests of a merchant that the measured platform knows. Throws when one is not served. */
async function senderOf(api: Api): Promise<Send> {
  const { body: merchants } = await api.request('POST /_local/merchants')
  return async (route: string, options: RequestOptions = {}) => {
    const { status, text, body } = await api.request(route, { key: merchants.test.secret_key, ...options })
    if (status !== 200) throw new Error(`${route} answered ${text}`)
    return body
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

async function rowOf(meter: PlatformMeter, send: Send, { route, as = '', most_waits, request }: Case) {
  const { id = '', query = '', ...options } = await request(send)
  meter.take()
  await send(route.replace(':id', id) + query, options)
  const { service, acquirer } = meter.take()
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
