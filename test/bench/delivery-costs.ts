import { handler as deliver } from '#functions/background/deliver.ts'
import { handler as fanOut } from '#functions/background/fan-out.ts'
import type { LocalPlatform } from '#infra/local/local-platform.ts'
import { type Api, card, openApi } from '#test/support/api.ts'
import { openReceivers } from '#test/support/receivers.ts'
import { PlatformMeter } from './measured-platform.ts'
import { heading, note, table } from './report.ts'

/** What telling receivers of one event asks of the platform, besides the request that made it. */
export async function deliveryCostsBench(): Promise<void> {
  heading('Calls of the platform for one event and its deliveries')
  note(
    'Waits, calls, RU and WU as above. The event is payment.captured; a webhook has a secret. What the event itself costs is',
    'in its request: the row that says that nobody was told yet is put there, and goes with the fan-out.',
  )
  const meter = new PlatformMeter()
  let platform!: LocalPlatform
  const api = await openApi({
    around(inner) {
      platform = meter.around(inner)
      return platform
    },
  })
  const receivers = await openReceivers(['well', 'dead'], () => {})
  try {
    const [well, dead] = receivers.urls as [string, string]
    const bench = new Costs(api, platform, meter)
    const rows = [
      ['fan-out, no webhook', ...(await bench.fanOut([]))],
      ['fan-out, 1 webhook of the payment', ...(await bench.fanOut([], well))],
      ['fan-out, 1 webhook', ...(await bench.fanOut([well]))],
      ['a delivery, delivered at once', ...(await bench.attempt())],
      ['fan-out, 10 webhooks', ...(await bench.fanOut(Array(10).fill(well)))],
      ['fan-out, 1 webhook', ...(await bench.fanOut([dead]))],
      ['an attempt that fails', ...(await bench.attempt())],
      ['a retry that fails', ...(await bench.retry())],
    ]
    table(['what', 'waits', 'calls', 'RU', 'WU'], rows)
  } finally {
    await receivers.close()
    await api.close()
  }
}

class Costs {
  readonly #api: Api
  readonly #platform: LocalPlatform
  readonly #meter: PlatformMeter

  constructor(api: Api, platform: LocalPlatform, meter: PlatformMeter) {
    this.#api = api
    this.#platform = platform
    this.#meter = meter
  }

  /** The fan-out of an event of a new merchant with these webhooks, or of a payment that has one of its own. */
  async fanOut(urls: readonly string[], own?: string): Promise<number[]> {
    const { body: merchants } = await this.#api.request('POST /_local/merchants')
    const key: string = merchants.test.secret_key
    const event_list = ['payment.captured']
    for (const url of urls)
      await this.#api.request('POST /webhooks', { key, json: { url, event_list, secret_token: 'a secret' } })
    const webhooks = own ? [{ url: own, events: event_list, secret_key: 'a secret' }] : []
    const json = { amount: 1000, currency: 'JPY', payment_details: card(), webhooks }
    // The first payment of a week is one to be settled besides.
    await this.#api.request('POST /payments', { key, json })
    await this.#api.advance(0)
    await this.#api.request('POST /payments', { key, json })
    return this.#cost(() => fanOut({ Records: this.#platform.stream.take() }, this.#context))
  }

  /** The attempt that has fallen due. */
  attempt(): Promise<number[]> {
    const { queues, clock } = this.#platform
    const [message] = queues.deliveries.due(clock.now(), 1)
    const Records = [{ messageId: '0', body: JSON.stringify(message) }]
    return this.#cost(() => deliver({ Records } as never, this.#context))
  }

  /** The next attempt of that delivery. */
  retry(): Promise<number[]> {
    const { queues, clock } = this.#platform
    clock.turnTo(queues.deliveries.earliest()!)
    return this.attempt()
  }

  get #context() {
    return { platform: this.#platform } as never
  }

  async #cost(act: () => Promise<unknown>): Promise<number[]> {
    this.#meter.take()
    await act()
    const { waits, calls, read_units, write_units } = this.#meter.take().service
    return [waits, calls, read_units, write_units]
  }
}
