import type Stripe from 'stripe'
import { OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import type { Clock, LogEntry } from '#shared/platform/ports.ts'
import { malformedField } from './answer-schema.ts'
import { stripeClient } from './client.ts'
import { UnexpectedAnswer } from './outcome.ts'

/** The access of this service to its account at Stripe. */
export interface StripeAccess {
  /** The store of the API key. `refetch` reads it again, because Stripe has refused the key. */
  readonly secrets: { acquirer(): Promise<{ readonly api_key: string }>; refetch(): Promise<unknown> }
  readonly clock: Clock
  log(entry: LogEntry): void
  /** The name of the stage, in the metadata of each object at Stripe. */
  readonly stage: string
  /** A loopback address that replaces Stripe's own host; null for Stripe. */
  readonly host: string | null
}

/** How long Stripe may take to respond to a call. */
const limits_ms = { create: 4_000, confirm: 12_000, other: 15_000 } as const

/** How a call is made: its share of the time, and its idempotency key. A call without a key has none. */
export interface CallOptions {
  readonly limit?: keyof typeof limits_ms
  readonly key?: string
}

/** What an alarm is about. */
interface Subject {
  readonly merchant: string
  readonly payment: string
}

/** Thrown for an error by which Stripe says that a call has no effect: a decline, or a request that it does not take. */
export class StripeRefusal extends Error {
  override readonly name = 'StripeRefusal'
  readonly error: Stripe.StripeRawError
  readonly request: string | undefined
  constructor(error: Stripe.StripeRawError, request: string | undefined) {
    super('Stripe refused a call')
    this.error = error
    this.request = request
  }

  get code(): string | undefined {
    return this.error.code
  }
}

/** The calls of one operation, which share the time of the operation. */
export class StripeCalls {
  readonly access: StripeAccess
  readonly #until: number

  constructor(access: StripeAccess, within_ms: number) {
    this.access = access
    this.#until = access.clock.now() + within_ms
  }

  /**
   * Makes one call. Throws `StripeRefusal` if Stripe refuses it, and `OutcomeUnknown` if Stripe may have executed it or
   * may execute it later. `reference` is the id of the PaymentIntent or SetupIntent that the call is about, by which the
   * unknown outcome can be looked up.
   */
  async call<T extends object>(
    ask: (stripe: Stripe, options: Stripe.RequestOptions) => Promise<T>,
    { limit = 'other', key }: CallOptions = {},
    reference?: string,
  ): Promise<T> {
    const { secrets, host, clock } = this.access
    const { api_key } = await secrets.acquirer()
    const timeout = Math.min(limits_ms[limit], this.#until - clock.now())
    if (timeout <= 0) throw new OutcomeUnknown({ reference })
    const stripe = await stripeClient(api_key, host)
    const options = { timeout, ...(key !== undefined && { idempotencyKey: key }) }
    const answer = await ask(stripe, options).catch((error: unknown) => this.#fail(error, reference))
    const fault = malformedField(answer) ?? contradiction(answer, reference, api_key)
    if (fault !== undefined) throw new UnexpectedAnswer(fault, reference)
    return answer
  }

  async #fail(error: unknown, reference: string | undefined): Promise<never> {
    const { statusCode, requestId, raw } = error as Partial<Stripe.errors.StripeError>
    if (statusCode === 401 || statusCode === 403) await this.#denied(requestId)
    if (isRefusal(statusCode, raw)) throw new StripeRefusal(raw as Stripe.StripeRawError, requestId)
    throw new OutcomeUnknown({ reference })
  }

  /** Reads the API key again, so that the next call has the present one. */
  async #denied(request: string | undefined): Promise<void> {
    this.access.log({ level: 'error', event: 'acquirer_denied', provider: 'stripe', provider_request: request })
    await this.access.secrets.refetch().catch(() => undefined)
  }

  /** Raises an alarm about a call that Stripe does not take, because of a defect of this service or of its set-up. */
  refused(about: Subject, { error, request }: StripeRefusal): void {
    const ids = { provider_code: error.code, provider_param: error.param, provider_request: request }
    this.alarm('acquirer_refused', about, ids)
  }

  /** Logs an error that an operator must look at. */
  alarm(event: string, { merchant, payment }: Subject, about: Partial<LogEntry> = {}): void {
    this.access.log({ level: 'error', event, merchant, payment, provider: 'stripe', ...about })
  }
}

/**
 * Returns the field by which an answer is about another object than the call, or about money of the other mode: a key of
 * the other mode would take test payments for real ones, or the reverse.
 */
function contradiction(answer: object, reference: string | undefined, api_key: string): string | undefined {
  const { id, livemode } = answer as { readonly id?: string; readonly livemode?: boolean }
  if (reference !== undefined && id !== reference) return 'id'
  return livemode !== undefined && livemode !== api_key.includes('_live_') ? 'livemode' : undefined
}

/** The types of errors by which Stripe refuses a call. */
const REFUSALS: ReadonlySet<unknown> = new Set(['card_error', 'invalid_request_error'])

/** Whether an error says for certain that the call had no effect. */
function isRefusal(status: number | undefined, raw: unknown): boolean {
  if (status !== 402 && status !== 400 && status !== 404) return false
  const { type, code } = raw as Stripe.StripeRawError
  return REFUSALS.has(type) && code !== 'lock_timeout' && code !== 'idempotency_key_in_use'
}
