import { setTimeout as passes } from 'node:timers/promises'
import type { Item } from '#shared/platform/ports.ts'
import { inconsistencies } from '#test/faults/consistency.ts'
import { itemsIn } from '#test/faults/kill-rounds.ts'
import { randomOf } from '#test/faults/random.ts'
import { card } from '#test/fixtures/api.ts'
import { type LocalRun, startLocally } from '#test/fixtures/local-run.ts'
import { type Arrival, type Health, openReceivers, type Receivers } from '#test/fixtures/receivers.ts'

/** The result of a load of events to many receivers, in a service that was killed repeatedly. */
export interface DeliveryKills {
  /** The number of events of answered requests. */
  readonly events: number
  readonly posts: number
  /** The number of POSTs without a recorded attempt, because of a kill. */
  readonly interrupted: number
  /** Everything that is wrong, one sentence each. */
  readonly wrong: readonly string[]
}

const MERCHANTS = 2

/**
 * The receivers of each merchant's webhooks. The fan-out of an event to so many webhooks needs several transactions.
 * Both merchants together have fifty webhooks.
 */
const healths: readonly Health[] = [...Array(15).fill('well'), ...Array(5).fill('hanging'), ...Array(5).fill('dead')]

/** The receiver of the webhooks that some payments of a merchant have of their own. */
const own: Health = 'well'

const CLIENTS = 8
const RUN_MS = 1_200
const HOUR_SECONDS = 3_600

/** A time that is longer than a lease, and longer than the sweep leaves an event to the stream. */
const LEASE_SECONDS = 61

interface Merchant {
  readonly key: string
  /** The URLs of the merchant's webhooks. The last URL is that of the webhook of its payments. */
  readonly urls: readonly string[]
}

/** An event of an answered request, which its receivers must get. */
interface Owed {
  readonly merchant: Merchant
  readonly type: 'payment.captured' | 'payment.updated'
  readonly payment: string
  readonly has_own: boolean
}

/**
 * Merchants create and change payments, while the service is killed at random moments and started again on the same
 * folder. Some of their receivers hang, and some do not listen. At the end the clock is advanced until everything is
 * delivered.
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
      await passes(100 + random() * RUN_MS)
      await run.kill()
      await Promise.all(clients)
      wrong.push(...inconsistencies(itemsIn(data_dir)).map((line) => `after kill ${kill}: ${line}`))
      load.runs += 1
      run = await startLocally(data_dir)
      // The clock cannot advance while a worker waits for a receiver.
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
  runs = 1
  readonly #well: ReadonlySet<string>
  readonly #owed: Owed[] = []
  /** Each receiver with the type and the payment of an event that it got. */
  readonly #received = new Set<string>()
  /** The receiver and the body of each delivery, by its id, and the run of the service in which each POST came. */
  readonly #deliveries = new Map<string, { url: string; body: string; runs: number[] }>()
  readonly #wrong: string[] = []

  constructor(well: readonly string[]) {
    this.#well = new Set(well)
  }

  came({ url, id, body }: Arrival): void {
    const known = this.#deliveries.get(id) ?? { url, body, runs: [] }
    this.#deliveries.set(id, known)
    if (known.body !== body) this.#wrong.push(`${id} came with another body`)
    if (known.url !== url) this.#wrong.push(`${id} came to ${known.url} and to ${url}`)
    known.runs.push(this.runs)
    const { type, data } = JSON.parse(body)
    this.#received.add(`${url} ${type} ${data.id}`)
  }

  /** Creates and changes payments until the service is killed. */
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

  /** Compares the POSTs with the items at the end. */
  judged(items: readonly Item[]): DeliveryKills {
    const attempts = Map.groupBy(
      items.filter(({ pk, sk }) => pk.startsWith('delivery#') && sk.startsWith('attempt#')),
      ({ pk }) => pk.split('#')[2]!,
    )
    const posts = [...this.#deliveries].map(([id, delivery]) => {
      const recorded = attempts.get(id)?.length ?? 0
      return { id, ...delivery, recorded, interrupted: delivery.runs.length - recorded }
    })
    return {
      events: this.#owed.length,
      posts: posts.reduce((sum, { runs }) => sum + runs.length, 0),
      interrupted: posts.reduce((sum, { interrupted }) => sum + interrupted, 0),
      wrong: [
        ...this.#wrong,
        ...this.#owed.flatMap((owed) => missingReceivers(owed, this.#received)),
        ...posts.flatMap(({ id, url, runs, recorded, interrupted }) => {
          const kills = new Set(runs.filter((run) => run < this.runs)).size
          // A healthy receiver gets a delivery once in a run, and one attempt is recorded in all.
          const is_once = !this.#well.has(url) || (recorded === 1 && new Set(runs).size === runs.length)
          const is_counted = interrupted >= 0 && interrupted <= kills
          return is_once && is_counted ? [] : [`${id} came in the runs ${runs}, with ${recorded} recorded attempts`]
        }),
      ],
    }
  }
}

/** Returns the receivers that did not get an event, although they answered at some time. */
function missingReceivers({ merchant, type, payment, has_own }: Owed, received: ReadonlySet<string>): string[] {
  const all: readonly Health[] = has_own ? [...healths, own] : healths
  return all.flatMap((health, index) =>
    health === 'dead' || received.has(`${merchant.urls[index]} ${type} ${payment}`)
      ? []
      : [`${merchant.urls[index]} (${health}) did not get ${type} of ${payment}`],
  )
}
