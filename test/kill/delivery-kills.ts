import { setTimeout as passes } from 'node:timers/promises'
import type { Item } from '#shared/platform/ports.ts'
import { inconsistencies } from '#test/faults/consistency.ts'
import { itemsIn } from '#test/faults/kill-rounds.ts'
import { randomOf } from '#test/faults/random.ts'
import { card } from '#test/fixtures/api.ts'
import { type LocalRun, startLocally } from '#test/fixtures/local-run.ts'
import { type Arrival, type Health, openReceivers, type Receivers } from '#test/fixtures/receivers.ts'

/** What came of a load of events to many receivers, in a service that was killed again and again. */
export interface DeliveryKills {
  /** Events of requests that were answered. */
  readonly events: number
  readonly posts: number
  /** POSTs that came, and that nobody recorded, since a kill cut them off. */
  readonly cut_off: number
  /** Everything that is wrong, one sentence each. */
  readonly wrong: readonly string[]
}

const MERCHANTS = 2

/** The webhooks of each merchant, so many that an event needs several transactions: fifty receivers in all. */
const healths: readonly Health[] = [...Array(15).fill('well'), ...Array(5).fill('hanging'), ...Array(5).fill('dead')]

/** Besides, each merchant has payments that tell a webhook of their own. */
const own: Health = 'well'

const CLIENTS = 8
const LIVES_MS = 1_200
const HOUR_SECONDS = 3_600

/** Longer than a worker may hold a delivery, and than the clock leaves an event to the stream. */
const LEASE_SECONDS = 61

interface Merchant {
  readonly key: string
  /** Of its webhooks, and last that of its payments' own. */
  readonly urls: readonly string[]
}

/** An event that an answered request must have had, and that receivers must be told of. */
interface Owed {
  readonly merchant: Merchant
  readonly type: 'payment.captured' | 'payment.updated'
  readonly payment: string
  readonly has_own: boolean
}

/**
 * Merchants with webhooks of which some hang and some are dead take payments and change them, while the service is killed
 * at moments of chance and started again on the same folder. At the end the clock is turned on until all is delivered.
 */
export async function deliveryKills(data_dir: string, kills: number, seed: number): Promise<DeliveryKills> {
  const random = randomOf(seed)
  const all = Array.from({ length: MERCHANTS }, () => [...healths, own]).flat()
  const receivers = await openReceivers(all, (arrival) => load.came(arrival))
  const load = new Load(receivers.urls.filter((_, index) => all[index] === 'well'))
  const wrong: string[] = []
  try {
    let run = await startLocally(data_dir)
    const merchants = await newMerchants(run, receivers)
    for (let kill = 1; kill <= kills; kill++) {
      const clients = Array.from({ length: CLIENTS }, () => load.client(run, merchants, random))
      await passes(100 + random() * LIVES_MS)
      await run.kill()
      await Promise.all(clients)
      wrong.push(...inconsistencies(itemsIn(data_dir)).map((line) => `after kill ${kill}: ${line}`))
      load.lives += 1
      run = await startLocally(data_dir)
      // Nobody can turn the clock while a receiver is waited for.
      receivers.become('broken', 'hanging')
      await run.advance(LEASE_SECONDS)
      receivers.become('hanging', 'broken')
    }
    receivers.become('well', 'hanging')
    await run.advance(HOUR_SECONDS)
    await run.kill()
    const items = itemsIn(data_dir)
    wrong.push(...inconsistencies(items, { settled: true }))
    const { wrong: of_load, ...figures } = load.judged(items)
    return { ...figures, wrong: [...wrong, ...of_load] }
  } finally {
    await receivers.close()
  }
}

async function newMerchants(run: LocalRun, { urls }: Receivers): Promise<Merchant[]> {
  const merchants: Merchant[] = []
  const each = healths.length + 1
  for (let first = 0; first < urls.length; first += each) {
    const { test } = (await run.send('POST /_local/merchants'))!.body
    const theirs = urls.slice(first, first + each)
    const event_list = ['payment.captured', 'payment.updated']
    for (const url of theirs.slice(0, -1))
      await run.send('POST /webhooks', { key: test.secret_key, json: { url, event_list, secret_token: 'a secret' } })
    merchants.push({ key: test.secret_key, urls: theirs })
  }
  return merchants
}

class Load {
  /** How often the service was started. */
  lives = 1
  readonly #well: ReadonlySet<string>
  readonly #owed: Owed[] = []
  /** By receiver, and at it by event and payment. */
  readonly #told = new Set<string>()
  /** By delivery: its receiver and body, and in which life each of its POSTs came. */
  readonly #deliveries = new Map<string, { url: string; body: string; lives: number[] }>()
  readonly #wrong: string[] = []

  constructor(well: readonly string[]) {
    this.#well = new Set(well)
  }

  came({ url, id, body }: Arrival): void {
    const known = this.#deliveries.get(id) ?? { url, body, lives: [] }
    this.#deliveries.set(id, known)
    if (known.body !== body) this.#wrong.push(`${id} came with another body`)
    if (known.url !== url) this.#wrong.push(`${id} came to ${known.url} and to ${url}`)
    known.lives.push(this.lives)
    const { type, data } = JSON.parse(body)
    this.#told.add(`${url} ${type} ${data.id}`)
  }

  /** A client that makes payments, and changes them, until the service is gone. */
  async client(run: LocalRun, merchants: readonly Merchant[], random: () => number): Promise<void> {
    const order = { amount: 1_000, currency: 'JPY', payment_details: card() }
    for (;;) {
      const merchant = merchants[Math.floor(random() * merchants.length)]!
      const { key } = merchant
      const has_own = random() < 0.3
      const webhooks = has_own ? [{ url: merchant.urls.at(-1), events: ['payment.captured', 'payment.updated'] }] : []
      const made = await run.send('POST /payments', { key, json: { ...order, webhooks } })
      if (!made) return
      this.#answered(made.status, { merchant, type: 'payment.captured', payment: made.body.id, has_own })
      if (random() < 0.8) continue
      const changed = await run.send(`PATCH /payments/${made.body.id}`, { key, json: { description: 'changed' } })
      if (!changed) return
      this.#answered(changed.status, { merchant, type: 'payment.updated', payment: made.body.id, has_own })
    }
  }

  #answered(status: number, owed: Owed): void {
    if (status === 200) this.#owed.push(owed)
    else this.#wrong.push(`a request was answered with ${status}`)
  }

  /** What came of it, by what is on record at the end. */
  judged(items: readonly Item[]): DeliveryKills {
    const attempts = Map.groupBy(
      items.filter(({ pk, sk }) => pk.startsWith('delivery#') && sk.startsWith('attempt#')),
      ({ pk }) => pk.split('#')[2]!,
    )
    const posts = [...this.#deliveries].map(([id, delivery]) => {
      const recorded = attempts.get(id)?.length ?? 0
      return { id, ...delivery, recorded, cut_off: delivery.lives.length - recorded }
    })
    return {
      events: this.#owed.length,
      posts: posts.reduce((sum, { lives }) => sum + lives.length, 0),
      cut_off: posts.reduce((sum, { cut_off }) => sum + cut_off, 0),
      wrong: [
        ...this.#wrong,
        ...this.#owed.flatMap((owed) => untold(owed, this.#told)),
        ...posts.flatMap(({ id, url, lives, recorded, cut_off }) => {
          const kills = new Set(lives.filter((life) => life < this.lives)).size
          // Who answers is told once in a life, and once in all on record.
          const is_once = !this.#well.has(url) || (recorded === 1 && new Set(lives).size === lives.length)
          const is_counted = cut_off >= 0 && cut_off <= kills
          return is_once && is_counted ? [] : [`${id} came in lives ${lives}, with ${recorded} on record`]
        }),
      ],
    }
  }
}

/** The receivers that were not told of an event, though they were well at some time. */
function untold({ merchant, type, payment, has_own }: Owed, told: ReadonlySet<string>): string[] {
  const all: readonly Health[] = has_own ? [...healths, own] : healths
  return all.flatMap((health, index) =>
    health === 'dead' || told.has(`${merchant.urls[index]} ${type} ${payment}`)
      ? []
      : [`${merchant.urls[index]} (${health}) was not told of ${type} of ${payment}`],
  )
}
