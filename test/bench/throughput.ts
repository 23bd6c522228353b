import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { card, openApi, request } from '#test/fixtures/api.ts'
import { type Load, loaded, requestBytes } from './load.ts'
import { type Recipe, recording, type Step } from './recipe.ts'
import { heading, mark, median, note, quantile, table } from './report.ts'

const root = join(import.meta.dirname, '../..')

/** The number of payments before the measurement of reads. */
const PAYMENTS = 200
const ROUNDS = 7
const ROUND_MS = 500
const WARM_UP_MS = 1_500
const RATIO_AT_LEAST = 0.5

const payment = { amount: 1000, currency: 'JPY', payment_details: card() }

/** The measured routes, in their order. Reads come first, because creating payments makes the list longer. */
const routes = ['GET /payments/:id', 'GET /payments', 'POST /payments'] as const
type Measured = (typeof routes)[number]

/** Compares the requests per second of the local server with a server that does only the same reads and commits. */
export async function throughputBench(): Promise<void> {
  heading('Requests per second through the local server')
  const recipes = await recipesOf()
  note(
    'The comparison is a bare node:http server with the same SQLite pragmas and the same path to the disk. Per request, it',
    'repeats the recorded table calls, with one INSERT per commit:',
    ...routes.map((route) => `  ${route}: ${described(recipes[route].steps)}, answer ${recipes[route].answer.length}`),
    'The commits of a payment are two of the service and, between them, one of the ledger of the sandbox acquirer. The',
    'local table puts all writes of one turn of the event loop into one commit, the bare server commits each write alone.',
    'Both continue while the disk syncs a commit, and respond after the sync.',
    `${ROUNDS} rounds of ${ROUND_MS / 1000} s each, alternating; medians of rates, quantiles of all requests.`,
  )
  const folder = mkdtempSync(join(tmpdir(), 'throughput-'))
  const servers: ChildProcess[] = []
  try {
    const product = await started(servers, 'infra/local/main.ts', { DATA_DIR: join(folder, 'product'), PORT: '0' })
    const bare = await started(servers, 'test/bench/bare-server.ts', {
      DATA_DIR: join(folder, 'bare'),
      RECIPES: JSON.stringify(recipes),
    })
    const requests = await requestsTo(product)
    const rows: (string | number)[][] = []
    for (const route of routes)
      rows.push(...(await rivalry(route, { product, bare, request: requests[route], body: bodyOf(route) })))
    table(['route', 'at once', '1/s', 'p50 ms', 'p99 ms', 'bare 1/s', 'p50 ms', 'p99 ms', 'ratio', 'aim'], rows)
  } finally {
    for (const server of servers) server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

const bodyOf = (route: Measured): string => (route === 'POST /payments' ? JSON.stringify(payment) : '')

/** The recorded table calls of one request of each route, after `PAYMENTS` payments. */
async function recipesOf(): Promise<Record<Measured, Recipe>> {
  let take = (): Step[] => []
  const api = await openApi({
    around(platform) {
      const recorder = recording(platform)
      take = recorder.take
      return recorder.platform
    },
  })
  // Records the second request, because the first read of a list also stores its counts.
  const recipe = async (route: string, json?: unknown): Promise<Recipe> => {
    await api.request(route, { json })
    take()
    const { status, text } = await api.request(route, { json })
    if (status !== 200) throw new Error(`${route} answered ${text}`)
    return { steps: take(), answer: text }
  }
  try {
    const { body } = await api.request('POST /payments', { json: payment })
    for (let count = 1; count < PAYMENTS; count++) await api.request('POST /payments', { json: payment })
    return {
      'GET /payments/:id': await recipe(`GET /payments/${body.id}`),
      'GET /payments': await recipe('GET /payments'),
      'POST /payments': await recipe('POST /payments', payment),
    }
  } finally {
    await api.close()
  }
}

function described(steps: readonly Step[]): string {
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)
  return steps
    .map((step) =>
      'commit' in step
        ? `commit ${step.commit}`
        : 'read' in step
          ? `read ${step.read.length} of ${sum(step.read)}`
          : `range ${step.range.length} of ${sum(step.range)}`,
    )
    .join(', ')
    .concat(' bytes')
}

/** Starts a server in a process of its own and returns the port that it prints. */
async function started(servers: ChildProcess[], file: string, env: Record<string, string>): Promise<number> {
  mkdirSync(env.DATA_DIR!)
  const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, file)], {
    env: { ...process.env, HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  servers.push(server)
  for await (const line of createInterface({ input: server.stdout })) {
    const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? []
    if (port) {
      server.stdout.resume()
      return Number(port)
    }
  }
  throw new Error(`${file} ended before it listened`)
}

/** The requests of a new merchant with `PAYMENTS` payments. */
async function requestsTo(port: number): Promise<Record<Measured, Buffer>> {
  const url = `http://127.0.0.1:${port}`
  const { body: merchants } = await request(url, 'POST /_local/merchants')
  const key: string = merchants.test.secret_key
  const { body } = await request(url, 'POST /payments', { key, json: payment })
  for (let count = 1; count < PAYMENTS; count++) await request(url, 'POST /payments', { key, json: payment })
  const headers = { authorization: `Basic ${btoa(`${key}:`)}`, 'content-type': 'application/json' }
  return {
    'GET /payments/:id': requestBytes('GET', `/api/v1/payments/${body.id}`, headers),
    'GET /payments': requestBytes('GET', '/api/v1/payments', headers),
    'POST /payments': requestBytes('POST', '/api/v1/payments', headers, bodyOf('POST /payments')),
  }
}

interface Rivals {
  readonly product: number
  readonly bare: number
  readonly request: Buffer
  readonly body: string
}

/** Puts both servers under the same load, alternating, so that other load of the machine affects both alike. */
async function rivalry(route: Measured, { product, bare, request, body }: Rivals): Promise<(string | number)[][]> {
  const bareRequest = requestBytes(
    'POST',
    `/${encodeURIComponent(route)}`,
    { 'content-type': 'application/json' },
    body,
  )
  const ask = {
    product: (connections: number, ms: number) => loaded(product, request, connections, ms),
    bare: (connections: number, ms: number) => loaded(bare, bareRequest, connections, ms),
  }
  await ask.product(16, WARM_UP_MS)
  await ask.bare(16, WARM_UP_MS)
  const rows: (string | number)[][] = []
  for (const connections of [1, 16]) {
    const loads: { product: Load[]; bare: Load[] } = { product: [], bare: [] }
    for (let round = 0; round < ROUNDS; round++) {
      loads.product.push(await ask.product(connections, ROUND_MS))
      loads.bare.push(await ask.bare(connections, ROUND_MS))
    }
    const ratio = rateOf(loads.product) / rateOf(loads.bare)
    const aim = route === 'POST /payments' ? mark({ value: ratio, at_least: RATIO_AT_LEAST }) : ''
    rows.push([route, connections, ...figuresOf(loads.product), ...figuresOf(loads.bare), ratio.toFixed(2), aim])
  }
  return rows
}

const rateOf = (loads: readonly Load[]): number => median(loads.map(({ per_second }) => per_second))

function figuresOf(loads: readonly Load[]): string[] {
  const latencies = loads.flatMap(({ latencies_ms }) => latencies_ms)
  return [rateOf(loads).toFixed(0), quantile(latencies, 0.5).toFixed(2), quantile(latencies, 0.99).toFixed(2)]
}
