import { randomUUID } from 'node:crypto'
import { handler as capture } from '#functions/background/capture.ts'
import { handler as chores } from '#functions/background/chores.ts'
import { handler as deliver } from '#functions/background/deliver.ts'
import { handler as fanOut } from '#functions/background/fan-out.ts'
import { handler as moveTestClocks } from '#functions/background/move-test-clocks.ts'
import { handler as sweep } from '#functions/background/sweep.ts'
import type { LocalPlatform } from '#infra/local/local-platform.ts'
import type { Item, Message, QueueName } from '#shared/platform/ports.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { openReceivers, type Receivers } from '#test/fixtures/receivers.ts'
import { type Cost, PlatformMeter } from './measured-platform.ts'

const MINUTE_SECONDS = 60
const MINUTE_MS = MINUTE_SECONDS * 1000

const handlers = { deliveries: deliver, captures: capture, chores, clocks: moveTestClocks }

/** Calls the background functions one at a time and returns the platform calls of each. */
export class BackgroundCalls {
  readonly #api: Api
  readonly #receivers: Receivers
  readonly #platform: LocalPlatform
  readonly #meter: PlatformMeter

  private constructor(api: Api, receivers: Receivers, platform: LocalPlatform, meter: PlatformMeter) {
    this.#api = api
    this.#receivers = receivers
    this.#platform = platform
    this.#meter = meter
  }

  static async open(): Promise<BackgroundCalls> {
    const meter = new PlatformMeter()
    let platform!: LocalPlatform
    const api = await openApi({
      around(inner) {
        platform = meter.around(inner)
        return platform
      },
    })
    return new BackgroundCalls(api, await openReceivers(['well', 'dead'], () => {}), platform, meter)
  }

  async close(): Promise<void> {
    await this.#receivers.close()
    await this.#api.close()
  }

  /** The URLs of a receiver that accepts deliveries and of one that refuses connections. */
  get receivers(): { well: string; dead: string } {
    const [well, dead] = this.#receivers.urls as [string, string]
    return { well, dead }
  }

  /** The fan-out of an event of a new merchant with these webhooks, or of a payment with a webhook of its own. */
  async fanOut(urls: readonly string[], own?: string): Promise<Cost> {
    const key = await this.#newKey()
    const event_list = ['payment.captured']
    for (const url of urls)
      await this.#api.request('POST /webhooks', { key, json: { url, event_list, secret_token: 'a secret' } })
    const webhooks = own ? [{ url: own, events: event_list, secret_key: 'a secret' }] : []
    // The first payment of a week also creates the record of its settlement.
    await this.#pay(key, webhooks)
    await this.#api.advance(0)
    await this.#pay(key, webhooks)
    return this.#cost(() => fanOut({ Records: this.#platform.stream.take() }, this.#context))
  }

  /** The attempt that is due. */
  attempt(): Promise<Cost> {
    return this.#work('deliveries')
  }

  /** The attempt of the delivery that falls due next. Advances the clock to its due time. */
  retry(): Promise<Cost> {
    const { queues, clock } = this.#platform
    clock.turnTo(queues.deliveries.earliest()!)
    return this.attempt()
  }

  /** A sweep that finds nothing, a minute after the previous one. */
  async idleSweep(): Promise<Cost> {
    await this.#sweep()
    this.#platform.clock.turnTo(this.#platform.clock.now() + MINUTE_MS)
    return this.#sweep()
  }

  /** The capture of a subscription's second interval. */
  async capture(): Promise<Cost> {
    const key = await this.#newKey()
    const made = async (route: string, json: object) => (await this.#api.request(route, { key, json })).body
    const { id: customer } = await made('POST /customers', { email: 'taro@example.com', payment_details: card() })
    const order = { customer, amount: '1000', currency: 'JPY', period: 'monthly' }
    const { next_capture_at } = await made('POST /subscriptions', order)
    await this.#sweptAt(Date.parse(next_capture_at))
    return this.#work('captures')
  }

  /** The settlement of a week of a new merchant with this number of payments. */
  async settlement(payments: number): Promise<Cost> {
    const key = await this.#newKey()
    for (let paid = 0; paid < payments; paid++) await this.#pay(key)
    await this.#api.advance(0)
    const settling = this.#items().filter(({ pk }) => pk.startsWith('settling#'))
    const { pk, due_at } = settling.sort((a, b) => (a.due_at! < b.due_at! ? -1 : 1)).at(-1)!
    await this.#sweptAt(Date.parse(due_at!))
    return this.#work('chores', (message) => message.pk === pk)
  }

  /** The items that one card payment adds to the table, including its delivery to a webhook. */
  async left(url: string): Promise<Item[]> {
    const key = await this.#newKey()
    await this.#api.request('POST /webhooks', { key, json: { url, event_list: ['payment.captured'] } })
    await this.#pay(key)
    await this.#api.advance(0)
    const before = new Set(this.#items().map(nameOf))
    await this.#pay(key)
    await this.#api.advance(0)
    return this.#items().filter((item) => !before.has(nameOf(item)))
  }

  /** All items except the ledger of the sandbox acquirer. */
  #items(): Item[] {
    return [...this.#platform.table.items()].filter(({ pk }) => !pk.startsWith('sandbox#'))
  }

  /** Does everything that falls due before a time, and queues what falls due at that time. */
  async #sweptAt(at: number): Promise<void> {
    const { clock } = this.#platform
    await this.#api.advance(Math.floor((at - clock.now()) / 1000) - 2 * MINUTE_SECONDS)
    clock.turnTo(at)
    await this.#sweep()
  }

  #sweep(): Promise<Cost> {
    return this.#cost(() => sweep({}, this.#context))
  }

  async #newKey(): Promise<string> {
    return (await this.#api.request('POST /_local/merchants')).body.test.secret_key
  }

  async #pay(key: string, webhooks: readonly object[] = []): Promise<void> {
    const json = { amount: 1000, currency: 'JPY', payment_details: card(), webhooks }
    await this.#api.request('POST /payments', { key, json, headers: { 'idempotency-key': randomUUID() } })
  }

  #work(queue: QueueName, isMeant: (message: Message) => boolean = () => true): Promise<Cost> {
    const { queues, clock } = this.#platform
    const message = queues[queue].due(clock.now()).find(isMeant)
    const Records = [{ messageId: '0', body: JSON.stringify(message) }]
    return this.#cost(() => handlers[queue]({ Records } as never, this.#context))
  }

  get #context() {
    return { platform: this.#platform } as never
  }

  async #cost(act: () => Promise<unknown>): Promise<Cost> {
    this.#meter.take()
    await act()
    return this.#meter.take().service
  }
}

const nameOf = ({ pk, sk }: Item): string => `${pk} ${sk}`
