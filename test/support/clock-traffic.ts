import { randomUUID } from 'node:crypto'
import { invoker } from '#infra/local/server.ts'
import { Workers } from '#infra/local/workers.ts'
import type { Item } from '#shared/platform/ports.ts'
import { merchantAndId } from '#shared/store/keys.ts'
import { type Api, card, konbini } from './api.ts'
import { itemsOf } from './witness.ts'

/** How the `external_order_num` of payments begins that clients make while a clock call goes on. */
const MEANWHILE = 'meanwhile'

const order = { amount: 1000, currency: 'JPY' }

/** What a merchant has before the clock call. Each makes it and answers nothing. */
export const works = {
  expiry: (shop: Shop) => shop.pay({ payment_details: konbini }),
  end_of_authorization: (shop: Shop) => shop.pay({ payment_details: card(), capture: false }),
  inquiry: (shop: Shop) => shop.pay({ payment_details: card() }, 'timeout_after_charge'),
  payment: (shop: Shop) => shop.pay({ payment_details: card() }),
  capture: async ({ send }: Shop) => {
    const { body } = await send('POST /customers', { payment_details: card(), email: 'taro@example.com' })
    await send('POST /subscriptions', { ...order, period: 'monthly', customer: body.id })
  },
} satisfies Record<string, (shop: Shop) => Promise<unknown>>

/** What clients do while a clock call goes on. Their payments have the number `external_order_num`. */
export const disturbances = {
  /** Its deliveries are held; see `Traffic`. */
  payment: (shop: Shop, external_order_num: string) => shop.pay({ payment_details: card(), external_order_num }),
  unknown_payment: (shop: Shop, external_order_num: string) =>
    shop.pay({ payment_details: card(), external_order_num }, 'timeout_after_charge'),
  recovery: async ({ send, webhook }: Shop) => {
    await send(`POST /webhooks/${webhook}/recover`, { since: '2030-01-01T00:00:00Z' })
  },
} satisfies Record<string, (shop: Shop, external_order_num: string) => Promise<unknown>>

export type Disturbance = keyof typeof disturbances

/** A merchant with a webhook whose receiver nobody finds, so that each delivery fails at once and is retried. */
export class Shop {
  readonly api: Api
  readonly merchant: string
  readonly #key: string
  webhook = ''

  private constructor(api: Api, { id, secret_key }: { id: string; secret_key: string }) {
    this.api = api
    this.merchant = id
    this.#key = secret_key
  }

  static async open(api: Api): Promise<Shop> {
    return new Shop(api, (await api.newMerchants()).test)
  }

  readonly send = (route: string, json: object, headers: Readonly<Record<string, string>> = {}) =>
    this.api.request(route, { key: this.#key, json, headers })

  pay(fields: object, scenario?: string) {
    return this.send('POST /payments', { ...order, ...fields }, scenario ? { 'x-service-scenario': scenario } : {})
  }

  async makeWebhook(url = 'https://shop.example/'): Promise<void> {
    const event_list = ['payment.captured', 'payment.expired', 'subscription.captured', 'settlement.created']
    this.webhook = (await this.send('POST /webhooks', { url, event_list })).body.id
  }

  /** When the first of the merchant's records of a kind falls due, in epoch milliseconds. */
  dueOf(kind: string): number {
    const due = [...this.api.platform.table.items()].flatMap(({ pk, due_shard, due_at }) =>
      pk.includes(this.merchant) && due_shard?.startsWith(`due#${kind}#`) ? Date.parse(due_at!) : [],
    )
    if (due.length === 0) throw new Error(`no ${kind} falls due`)
    return Math.min(...due)
  }

  /** What happened, without what clients caused meanwhile: each event with its time and those of its deliveries' attempts. */
  story(): string[] {
    const deliveries = Map.groupBy(itemsOf(this.api, 'delivery'), ({ pk }) => pk)
    const ofEvent = Map.groupBy(
      [...deliveries.values()].map((items) => ({
        event: items.find(({ sk }) => sk === 'delivery')!.event as string,
        times: items.flatMap(({ attempted_at }) => (attempted_at as string) ?? []),
      })),
      ({ event }) => event,
    )
    return itemsOf(this.api, 'event')
      .filter((item) => item.sk === 'event' && item.pk.includes(this.merchant) && !isOfTraffic(item))
      .map(({ id, type, created_at }) => {
        const attempts = (ofEvent.get(id as string) ?? []).map(({ times }) => times.join(', '))
        return `${created_at} ${type}; attempts: ${attempts.toSorted().join('; ')}`
      })
      .toSorted()
  }

  /** The times of the attempts to tell of payments that clients made meanwhile. */
  attemptsOfTraffic(): string[] {
    const items = itemsOf(this.api, 'delivery').filter(({ pk }) => pk.includes(this.merchant))
    const payments = new Set(
      itemsOf(this.api, 'payment')
        .filter(isOfTraffic)
        .map(({ id }) => id),
    )
    const told = new Set(items.flatMap(({ pk, payment }) => (payments.has(payment ?? undefined) ? pk : [])))
    return items.flatMap(({ pk, attempted_at }) => (told.has(pk) ? ((attempted_at as string) ?? []) : []))
  }

  /** The merchant's records that are due by now and that no client has caused meanwhile. */
  leftUndone(): string[] {
    const now = this.api.platform.clock.now()
    const items = [...this.api.platform.table.items()]
    const traffic = items.filter(isOfTraffic).map(({ pk }) => merchantAndId(pk).id)
    return items
      .filter(({ pk, due_at }) => pk.includes(this.merchant) && due_at && Date.parse(due_at) <= now)
      .filter((item) => !traffic.some((id) => JSON.stringify(item).includes(id)))
      .map(({ pk, sk, due_at }) => `${pk} ${sk} ${due_at}`)
  }
}

const isOfTraffic = (item: Item): boolean => JSON.stringify(item).includes(MEANWHILE)

export interface TrafficOptions {
  /** What clients do before the call of that number of a background function is made, counted from 0. */
  readonly before: (call: number) => readonly Disturbance[]
  /** Who the clients are: the shop itself, which has the same receiver, or another one. */
  readonly clients: Shop
  /** Whether receivers hold the deliveries of payments that clients make meanwhile, until the traffic is over. */
  readonly holds?: boolean
}

/** Workers of a service while clients go on: they act before calls of background functions, until the traffic is over. */
export class Traffic {
  readonly workers: Workers
  /** The files of the functions that were called. */
  readonly calls: string[] = []
  /** How many deliveries are held. */
  held = 0
  readonly #over = Promise.withResolvers<void>()
  readonly #now: () => number
  #is_over = false
  /** Of the payments of this traffic. */
  readonly #number = `${MEANWHILE} ${randomUUID()}`

  constructor(api: Api, { before, clients, holds = false }: TrafficOptions) {
    const invoke = invoker(api.platform)
    this.#now = () => api.platform.clock.now()
    this.workers = new Workers(api.platform, async (file, event) => {
      const call = this.calls.push(file) - 1
      if (!this.#is_over) for (const one of before(call)) await disturbances[one](clients, this.#number)
      if (holds && file === 'background/deliver' && !this.#is_over && (await this.#hasCaused(api, event))) {
        this.held += 1
        await this.#over.promise
      }
      return invoke(file, event)
    })
  }

  /** Ends the traffic and lets everything go that is held, to its end. */
  async end(): Promise<void> {
    this.#is_over = true
    this.#over.resolve()
    // The first call ends the requests that are under way, the second one what they have caused.
    for (let call = 0; call < 2; call++) await this.workers.advanceTo(this.#now())
  }

  /** Whether a delivery is of a payment of this traffic. */
  async #hasCaused({ platform: { table } }: Api, event: unknown): Promise<boolean> {
    const { body } = (event as { Records: [{ body: string }] }).Records[0]
    const { pk, sk } = JSON.parse(body)
    const [delivery] = await table.get([{ pk, sk }])
    if (!delivery?.payment) return false
    const { merchant } = merchantAndId(pk)
    const [payment] = await table.get([{ pk: `payment#${merchant}#${delivery.payment}`, sk: 'payment' }])
    return payment?.external_order_num === this.#number
  }
}
