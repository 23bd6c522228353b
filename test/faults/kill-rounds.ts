import { setTimeout as passes } from 'node:timers/promises'
import { openLocalPlatform } from '#infra/local/local-platform.ts'
import type { Payment } from '#shared/domain/payment.ts'
import type { Item } from '#shared/platform/ports.ts'
import { card, konbini, type Reply } from '#test/fixtures/api.ts'
import { type LocalRun, startLocally } from '#test/fixtures/local-run.ts'
import { inconsistencies } from './consistency.ts'
import { randomOf } from './random.ts'

/** A request of a client, with its idempotency key and its last response. */
interface Sent {
  readonly route: string
  readonly json: Readonly<Record<string, unknown>>
  readonly key: string
  reply?: Reply
}

/** The result of the rounds. */
export interface Rounds {
  readonly answered: number
  /** The number of requests that a kill interrupted, and that were answered when they were repeated. */
  readonly answered_later: number
  readonly payments: number
  /** Everything that is wrong, one sentence each. */
  readonly wrong: readonly string[]
}

const CLIENTS = 8
const RUN_MS = 400
/** The fewest requests that are answered in a round before the service is killed. */
const ANSWERED_MIN = 2
const LEASE_SECONDS = 45

/**
 * Clients send payments, captures, cancels, refunds and customers to a service that is killed at a random moment and
 * started again on the same folder, once per round. Requests without a response are repeated with their key.
 */
export async function killRounds(data_dir: string, rounds: number, seed: number): Promise<Rounds> {
  const random = randomOf(seed)
  const sent: Sent[] = []
  const wrong: string[] = []
  let later = 0
  let run = await startLocally(data_dir)
  const secret_key = run.key!
  for (let round = 1; round <= rounds; round++) {
    const first = sent.length
    const clients = Array.from({ length: CLIENTS }, () => client(run, secret_key, sent, random))
    await passes(5 + random() * RUN_MS)
    // On a slow machine, the service may not have answered yet.
    while (sent.slice(first).filter(({ reply }) => reply).length < ANSWERED_MIN) await passes(5)
    await run.kill()
    await Promise.all(clients)
    wrong.push(...inconsistencies(itemsIn(data_dir)).map((line) => `after kill ${round}: ${line}`))
    run = await startLocally(data_dir)
    later += await sendAgain(run, secret_key, sent)
  }
  await run.advance(3_600)
  await run.kill()
  const items = itemsIn(data_dir)
  wrong.push(...inconsistencies(items, { settled: true }), ...forgotten(items, sent), ...doneTwice(items))
  const payments = items.filter(({ sk }) => sk === 'payment').length
  return { answered: sent.length - later, answered_later: later, payments, wrong }
}

/** Returns all items of a folder whose process has ended. */
export function itemsIn(data_dir: string): Item[] {
  const { table } = openLocalPlatform({ data_dir })
  try {
    return [...table.items()]
  } finally {
    table.close()
  }
}

/** Sends one request after the other until the service is killed. */
async function client(run: LocalRun, secret_key: string, sent: Sent[], random: () => number): Promise<void> {
  for (;;) {
    const next = nextRequest(sent, random)
    sent.push(next)
    next.reply = await post(run, secret_key, next)
    if (!next.reply) return
  }
}

const post = (run: LocalRun, secret_key: string, { route, json, key }: Sent) =>
  run.send(route, { key: secret_key, json, headers: { 'idempotency-key': key } })

function nextRequest(sent: readonly Sent[], random: () => number): Sent {
  const key = `request ${sent.length}`
  const order = { amount: 1_000, currency: 'JPY', external_order_num: key }
  const known = sent.flatMap(({ reply }) => (reply?.body.resource === 'payment' ? [reply.body.id as string] : []))
  const id = known[Math.floor(random() * known.length)]
  const chance = Math.floor(random() * 10)
  if (id && chance < 2) return { route: `POST /payments/${id}/refund`, json: { amount: 300 }, key }
  if (id && chance === 2) return { route: `POST /payments/${id}/capture`, json: {}, key }
  if (id && chance === 3) return { route: `POST /payments/${id}/cancel`, json: {}, key }
  if (id && chance === 4) return { route: `PATCH /payments/${id}`, json: { description: key }, key }
  if (chance === 5)
    return { route: 'POST /customers', json: { payment_details: card(), email: `${sent.length}@example.com` }, key }
  if (chance === 6) return { route: 'POST /payments', json: { ...order, payment_details: konbini }, key }
  return { route: 'POST /payments', json: { ...order, payment_details: card(), capture: chance > 7 }, key }
}

/**
 * Repeats the requests without a final response, with their keys. Returns the number of these requests. Throws if a key
 * is still in flight: the process that held its lease was killed.
 */
async function sendAgain(run: LocalRun, secret_key: string, sent: readonly Sent[]): Promise<number> {
  const isOpen = ({ reply }: Sent) => !reply || reply.status >= 500 || reply.status === 409
  const open = sent.filter(isOpen)
  for (let tries = 0; tries < 5 && open.some(isOpen); tries++) {
    if (tries > 0) await run.advance(LEASE_SECONDS)
    for (const request of open.filter(isOpen)) request.reply = await post(run, secret_key, request)
    const held = open.find(({ reply }) => reply?.body.error?.code === 'idempotency_in_flight')
    if (held) throw new Error(`${held.route} with ${held.key} is in flight after the service was killed`)
  }
  const stuck = open.find(isOpen)
  if (stuck) throw new Error(`${stuck.route} with ${stuck.key} is still answered with ${stuck.reply?.text}`)
  return open.length
}

/** Checks that everything that was answered with 200 is stored. */
function forgotten(items: readonly Item[], sent: readonly Sent[]): string[] {
  const records = new Map(items.flatMap((item) => (typeof item.id === 'string' ? [[item.id, item] as const] : [])))
  return sent.flatMap(({ route, json, key, reply }) => {
    if (reply?.status !== 200) return []
    const record = records.get(reply.body.id)
    if (!record) return [`${key} (${route}) was answered with ${reply.body.id}, which does not exist`]
    if (route === 'POST /payments' && record.external_order_num !== json.external_order_num)
      return [`${key} was answered with the payment of ${record.external_order_num}`]
    const refunds = (reply.body as Payment).refunds ?? []
    const kept = ((record as unknown as Payment).refunds ?? []).map((refund) => refund.id)
    return refunds
      .filter((refund) => !kept.includes(refund.id))
      .map((refund) => `${refund.id} was answered and does not exist`)
  })
}

/** Checks that a request created one record. */
function doneTwice(items: readonly Item[]): string[] {
  const orders = items.flatMap(({ sk, external_order_num }) => (sk === 'payment' ? [external_order_num] : []))
  const emails = items.flatMap(({ sk, email }) => (sk === 'customer' ? [email] : []))
  const twice = [...orders, ...emails].filter((value, index, all) => all.indexOf(value) !== index)
  return twice.map((value) => `${value} was done twice`)
}
