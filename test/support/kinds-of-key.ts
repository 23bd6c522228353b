import fc from 'fast-check'
import { publishable, type Route } from '#shared/routes.ts'
import type { KeyKind, NewMerchant } from '#shared/store/merchants.ts'
import type { Api, Reply } from './api.ts'
import { type Ask, askAs, asSent, type Content, type Row, readyPath, rowsUnlike, things } from './route-requests.ts'

const kinds: readonly KeyKind[] = ['secret', 'publishable']

const keyOf = ({ secret_key, publishable_key }: NewMerchant, kind: KeyKind): string =>
  kind === 'secret' ? secret_key : publishable_key

/** Whether requests of the row read their `Idempotency-Key`. */
export const takesKey = ({ method }: Pick<Row, 'method'>): boolean => method === 'POST' || method === 'PATCH'

const isReplay = ({ headers }: Pick<Reply, 'headers'>): boolean => headers.get('idempotent-replayed') === 'true'

interface Request {
  readonly row: Row
  readonly path: string
  readonly body: Content
}

/** Sends a request under an idempotency key. A GET has no body. */
function send(api: Api, api_key: string, key: string, { row, path, body }: Request): Promise<Reply> {
  const sent = row.method === 'GET' ? {} : asSent(body)
  const headers = { 'idempotency-key': key }
  return api.request(`${row.method} ${path}`, { ...sent, key: api_key, headers, redirect: 'manual' })
}

/**
 * Sends requests with both kinds of API keys under the same idempotency key, in both orders: each body of a row that is
 * open to publishable keys, and a valid request of another row with a secret key. Answers what was wrong, one sentence
 * each: a request that the other kind's request had blocked or answered, or that was not replayed to its own kind. With
 * `only`, just one of the bodies is sent.
 */
export async function interference(
  api: Api,
  public_row: Row,
  row: Row,
  { only }: { readonly only?: number } = {},
): Promise<string[]> {
  const ask = askAs(api)
  const wrong: string[] = []
  const bodies = await bodiesOf(public_row, ask)
  for (const [index, body] of bodies.entries()) {
    if (only !== undefined && index !== only % bodies.length) continue
    for (const order of [kinds, kinds.toReversed()]) {
      const own: Request = { row, path: await readyPath(row, ask), body: structuredClone(row.contents[0]!) }
      // Where the row is the same, so is the path: then the requests differ in their API key alone.
      const path = row === public_row ? own.path : await readyPath(public_row, ask)
      const requests = { secret: own, publishable: { row: public_row, path, body } }
      const key = `${public_row.route} ${row.route} ${index} ${order[0]}`
      const ask_as = (kind: KeyKind) => send(api, keyOf(api.test, kind), key, requests[kind])
      const first = { [order[0]!]: await ask_as(order[0]!), [order[1]!]: await ask_as(order[1]!) }
      for (const kind of kinds) {
        const [reply, again] = [first[kind]!, await ask_as(kind)]
        const which = `body ${index}, ${order[0]} first: the ${kind} key`
        const is_kept = takesKey(requests[kind].row) && reply.status !== 403
        if (isReplay(reply)) wrong.push(`${which} was answered with a stored response`)
        if (reply.status !== statusOf(requests[kind], kind)) wrong.push(`${which} was answered with ${reply.status}`)
        if (isReplay(again) !== is_kept) wrong.push(`${which} got ${is_kept ? 'no' : 'a'} replay`)
        if (is_kept && again.text !== reply.text) wrong.push(`${which} got another answer at its second request`)
      }
    }
  }
  return wrong
}

/** What a request is answered with where nothing interferes. */
function statusOf({ row, body }: Request, kind: KeyKind): number {
  if (takesKey(row) && Object.keys(body).length === 0 && kind === 'publishable') return 422
  return kind === 'publishable' && 'customer' in body ? 403 : row.status
}

/** The bodies to try on a row: valid ones, an empty one, and for a secure token the one that only a secret key may send. */
async function bodiesOf(row: Row, ask: Ask): Promise<Content[]> {
  const valid = row.contents.slice(0, 2).map((content) => structuredClone(content))
  const bodies = takesKey(row) ? [...valid, {}] : valid
  if (row.route !== 'POST /secure_tokens') return bodies
  const { payment_details, ...order } = bodies[0]!
  return [...bodies, { ...order, customer: await things.customer(ask) }]
}

const rows = new Map(
  rowsUnlike()
    .filter(takesKey)
    .map((row) => [row.route, row]),
)
const routes = [...rows.keys()]
const public_routes = routes.filter((route) => publishable.has(route))

/** One request of a history. */
export interface Step {
  readonly kind: KeyKind
  readonly route: Route
  /** Which of the row's bodies. */
  readonly body: number
  /** Which of few idempotency keys. */
  readonly key: number
  /** Sent together with the next request with a secret key; else answered before the next request is sent. */
  readonly at_once: boolean
}

/** Histories of requests with both kinds of keys, which use the same few idempotency keys. */
export const histories: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<KeyKind>('secret', 'publishable'),
    route: fc.oneof(fc.constantFrom(...public_routes), fc.constantFrom(...routes)),
    body: fc.nat(3),
    key: fc.nat(2),
    at_once: fc.boolean(),
  }),
  { minLength: 2, maxLength: 12 },
)

/**
 * The answers to the requests with a secret key in a history that a new merchant lives through. Ids, keys and what is
 * derived from them are replaced by their order of appearance, so that two histories can be compared. `sent` says whose
 * requests are sent at all. A publishable key pays sessions of its own, since a payment of the merchant's is a true effect.
 */
export async function secretAnswers(api: Api, history: readonly Step[], sent: readonly KeyKind[]): Promise<string[]> {
  const merchant = (await api.newMerchants()).test
  const requestOf = requests(askAs(api, merchant.secret_key))
  const nameless = replacesIds()
  const answers: string[] = []
  let beside: Promise<Reply>[] = []
  for (const step of history) {
    // The request is made ready in both histories, so that both have made the same things.
    const request = await requestOf(step)
    if (!sent.includes(step.kind)) continue
    const reply = send(api, keyOf(merchant, step.kind), `key ${step.key}`, request)
    if (step.kind === 'publishable' && step.at_once) {
      beside.push(reply)
      continue
    }
    const [answered] = await Promise.all([reply, ...beside])
    beside = []
    if (step.kind === 'secret') answers.push(nameless(`${answered.status} ${isReplay(answered)} ${answered.text}`))
  }
  await Promise.all(beside)
  return answers
}

/** Makes requests whose path and body stay the same for the same row, body and kind of key. */
function requests(ask: Ask) {
  const paths = new Map<string, string>()
  const bodies = new Map<Row, Content[]>()
  return async ({ kind, route, body }: Step) => {
    const row = rows.get(route)!
    // The session that a publishable key pays is not the one that the secret key pays.
    const place = `${route} ${route === 'POST /sessions/:id/pay' ? kind : ''}`
    const path = paths.get(place) ?? (await readyPath(row, ask))
    paths.set(place, path)
    const all = bodies.get(row) ?? (await bodiesOf(row, ask))
    bodies.set(row, all)
    return { row, path, body: all[body % all.length]! }
  }
}

/** Replaces each id, API key and request id by a number, equal ones by the same number, and drops what varies by itself. */
function replacesIds(): (text: string) => string {
  const numbers = new Map<string, number>()
  const numberOf = (id: string) => {
    if (!numbers.has(id)) numbers.set(id, numbers.size)
    return `#${numbers.get(id)}`
  }
  return (text) =>
    text
      .replaceAll(/\b(?:[a-z]{3}|[sp]k_(?:test|live))_[0-9a-z]{10,}|(?<="request_id":")[^"]+/g, numberOf)
      .replaceAll(/("(?:id|merchant_id|latency_ms)"):\d+/g, '$1')
      .replaceAll(/("(?:confirmation_code|receipt)"):"[^"]*"/g, '$1')
}
