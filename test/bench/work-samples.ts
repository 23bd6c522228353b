import { randomUUID } from 'node:crypto'
import type { Context } from 'aws-lambda'
import { handler as doChores } from '#functions/background/chores.ts'
import { handler as fanOut } from '#functions/background/fan-out.ts'
import type { LocalPlatform } from '#infra/local/local-platform.ts'
import type { Key, Message } from '#shared/platform/ports.ts'
import { workThrough } from '#shared/scheduling/worker-batch.ts'
import { deliver, type Post } from '#shared/webhooks/deliver.ts'
import { type Api, card, openApi, type RequestOptions } from '#test/fixtures/api.ts'
import { CallRecorder, type Round } from './call-recorder.ts'
import { assumed } from './usage.ts'

/** The recorded work of one payment: its request, the fan-out of each of its events, and deliveries of them. */
export interface Sample {
  readonly payment: readonly Round[]
  readonly fan_outs: readonly FanOutSample[]
  readonly deliveries: readonly (readonly Round[])[]
}

export interface FanOutSample {
  readonly rounds: readonly Round[]
  /** The number of deliveries that it creates. */
  readonly deliveries: number
}

export interface SamplesWanted {
  readonly payments: number
  /** The time between two payments, in milliseconds. */
  readonly apart_ms: number
  readonly webhooks: number
  /** The most deliveries that are recorded of a payment. The others cost the same. */
  readonly deliveries_max: number
  /** How long after the last payment the fan-outs run. Absent: each fan-out follows its payment at once. */
  readonly late_ms?: number
}

/** The payments that are made first, so that the rows that only a first payment writes exist. */
const WARM_UP = 3

/**
 * Records the work of payments of one merchant, by running the functions on a table in memory. A late fan-out is the
 * work of a queue message, as the sweep sends it.
 */
export async function workSamples(wanted: SamplesWanted): Promise<Sample[]> {
  const { payments, apart_ms, webhooks, deliveries_max, late_ms } = wanted
  const service = await SampledService.open()
  try {
    await service.subscribe(webhooks)
    const samples: Sample[] = []
    const unfinished: Payment[] = []
    for (let number = 0; number < WARM_UP + payments; number++) {
      service.advance(apart_ms)
      const payment = await service.pay()
      if (late_ms === undefined) samples.push(await service.finish(payment, { deliveries_max, is_late: false }))
      else unfinished.push(payment)
    }
    service.advance(late_ms ?? 0)
    for (const payment of unfinished) samples.push(await service.finish(payment, { deliveries_max, is_late: true }))
    return samples.slice(WARM_UP)
  } finally {
    await service.close()
  }
}

/** A payment whose events are not fanned out yet, with the keys of their outbox rows. */
interface Payment {
  readonly rounds: readonly Round[]
  readonly outbox: readonly Key[]
}

/** The service with one merchant, whose works are recorded. */
class SampledService {
  readonly #recorder: CallRecorder
  readonly #api: Api
  readonly #platform: LocalPlatform
  #key = ''
  #turn = 0

  static async open(): Promise<SampledService> {
    const recorder = new CallRecorder()
    const api = await openApi({ around: (platform) => recorder.around(platform) })
    const service = new SampledService(recorder, api)
    service.#key = (await api.request('POST /_local/merchants')).body.test.secret_key
    return service
  }

  private constructor(recorder: CallRecorder, api: Api) {
    this.#recorder = recorder
    this.#api = api
    this.#platform = api.injected
  }

  close(): Promise<void> {
    return this.#api.close()
  }

  advance(milliseconds: number): void {
    const { clock } = this.#platform
    clock.turnTo(clock.now() + milliseconds)
  }

  async subscribe(webhooks: number): Promise<void> {
    for (let port = 1; port <= webhooks; port++)
      await this.#request('POST /webhooks', {
        json: { url: `http://127.0.0.1:${port}/`, event_list: ['payment.captured'], secret_token: 'a secret' },
      })
    this.#takeOutbox()
  }

  async pay(): Promise<Payment> {
    const json = { amount: 1000, currency: 'JPY', payment_details: card() }
    const headers = { 'idempotency-key': randomUUID() }
    const rounds = await this.#recorded(() => this.#request('POST /payments', { json, headers }))
    return { rounds, outbox: this.#takeOutbox() }
  }

  /** Fans out the events of a payment, and makes some of their deliveries. */
  async finish(
    { rounds: payment, outbox }: Payment,
    { deliveries_max, is_late }: { deliveries_max: number; is_late: boolean },
  ): Promise<Sample> {
    const { queues, clock } = this.#platform
    const fan_outs: FanOutSample[] = []
    const deliveries: Round[][] = []
    const items = await this.#platform.table.get(outbox)
    for (const [index, row] of outbox.entries()) {
      const late: Message = { kind: 'outbox', ...row, due_at: items[index]!.due_at! }
      const rounds = await this.#recorded(() => (is_late ? this.#fanOutLate(late) : this.#fanOut(row)))
      const due = queues.deliveries.due(clock.now())
      fan_outs.push({ rounds, deliveries: due.length })
      for (const message of this.#inTurn(due, deliveries_max))
        deliveries.push(await this.#recorded(() => this.#deliver(message)))
    }
    if (deliveries.length === 0) throw new Error('the events of a payment have no delivery')
    return { payment, fan_outs, deliveries }
  }

  /** Takes some of the messages, so that each webhook has its turn over many payments. */
  #inTurn(messages: readonly Message[], count: number): Message[] {
    const taken = Array.from({ length: Math.min(count, messages.length) }, () => this.#turn++)
    return taken.map((turn) => messages[turn % messages.length]!)
  }

  async #recorded(act: () => Promise<unknown>): Promise<Round[]> {
    this.#recorder.take()
    await act()
    return this.#recorder.take()
  }

  async #request(route: string, options: RequestOptions): Promise<void> {
    const { status, text } = await this.#api.request(route, { key: this.#key, ...options })
    if (status !== 200) throw new Error(`${route} answered ${text}`)
  }

  #takeOutbox(): Key[] {
    return this.#platform.stream.take().map(({ dynamodb: { Keys } }) => ({ pk: Keys.pk.S, sk: Keys.sk.S }))
  }

  #fanOut({ pk, sk }: Key): Promise<void> {
    return fanOut({ Records: [{ dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } } } }] }, this.#context)
  }

  #fanOutLate(message: Message): Promise<unknown> {
    return doChores({ Records: [recordOf(message)] } as never, this.#context)
  }

  #deliver(message: Message): Promise<unknown> {
    const post: Post = async () => {
      this.#recorder.elsewhere(assumed.receiver_ms)
      return { status_code: 200, error: null, response_body: null, latency_ms: assumed.receiver_ms }
    }
    return workThrough(this.#platform, [recordOf(message)], (work, one) => deliver(work, one, post))
  }

  get #context(): Context {
    return { platform: this.#platform } as unknown as Context
  }
}

const recordOf = (message: Message) => ({ messageId: '0', body: JSON.stringify(message) })
