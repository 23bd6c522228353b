import { createHash, createHmac, hkdfSync, randomUUID } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { Refusal } from '#shared/domain/errors.ts'
import type { Item, Write } from '#shared/platform/ports.ts'
import { idempotencyKey } from '#shared/store/keys.ts'
import { lock, unlock } from '#shared/store/lock.ts'
import type { Binding, Claim, Work } from '#shared/store/work.ts'
import { type Answer, okAnswer } from './answers.ts'

const KEPT_SECONDS = 24 * 60 * 60

/** How long a request may hold its key: longer than any request lives, so that who finds it expired finds a crash. */
const LEASE_MILLISECONDS = 40_000

/** Answers that say nothing of what the request did, so that the same key may try again. */
const NOT_KEPT = new Set([400, 401, 403, 409, 415, 429])

/** What is kept under an idempotency key. Nothing of it can be read without the key, of which only a hash is there. */
interface Kept {
  readonly fingerprint: string
  readonly lease: string
  readonly lease_until: number
  /** What the first request began at the acquirer. */
  readonly bound: Binding | null
  /** The first answer, sealed; null while the request is in flight or its outcome unknown. */
  readonly answer: string | null
}

/** Whether an answer with this status is the answer to its key for good. */
export const isKept = (status: number): boolean => status < 500 && !NOT_KEPT.has(status)

/** The hold of one request on its `Idempotency-Key`. */
export class IdempotencyClaim implements Claim {
  bound: Binding | undefined
  readonly #work: Work
  readonly #keys: { lookup: string; fingerprint: Buffer; seal: Buffer }
  readonly #fingerprint: string
  readonly #lease = randomUUID()
  #version = 0
  #holds = false

  /** `request` is what has to be the same when the key is used again: route, path and body. */
  constructor(work: Work, client_key: string, request: unknown) {
    this.#work = work
    this.#keys = derivedKeys(client_key, work.publishable)
    this.#fingerprint = createHmac('sha256', this.#keys.fingerprint).update(canonical(request)).digest('base64')
  }

  /**
   * The kept answer, if there is one. Refuses with `idempotency_mismatch` for another request, and with
   * `idempotency_in_flight` while the first one is still at work. What a dead one began is taken over: `bound` names it.
   */
  async read(): Promise<Answer | undefined> {
    const item = await this.#work.read(this.#key())
    const kept = item && !this.#isOver(item) ? (item as unknown as Kept) : undefined
    this.#version = item?.version ?? 0
    if (!kept || kept.lease === this.#lease) return undefined
    this.#holds = false
    if (kept.fingerprint !== this.#fingerprint) throw new Refusal('idempotency_mismatch')
    if (kept.answer) return unsealed(this.#keys.seal, kept.answer)
    if (kept.lease_until > this.#now()) throw new Refusal('idempotency_in_flight')
    await this.#takeOver(kept.bound!)
    return undefined
  }

  bind(binding: Binding): Write {
    return this.#put({ bound: binding, answer: null, lease_until: this.#now() + LEASE_MILLISECONDS })
  }

  held(): void {
    this.#version += 1
    this.#holds = true
  }

  /** To be committed with the changes that the answer tells of. */
  answered(answer: Answer): Write {
    return this.#put({ bound: null, answer: sealed(this.#keys.seal, answer), lease_until: 0 })
  }

  /** Lets the next request with this key go on at once, after an outcome that is unknown. */
  async release(): Promise<void> {
    const bound = this.bound ?? this.#work.begun
    if (!this.#holds || !bound) return
    const { payment, attempt } = bound
    await this.#work.platform.table.write([this.#put({ bound: { payment, attempt }, answer: null, lease_until: 0 })])
  }

  async #takeOver(bound: Binding): Promise<void> {
    await this.#work.platform.table.write([this.bind(bound)])
    this.held()
    this.bound = bound
  }

  #put(state: Pick<Kept, 'bound' | 'answer' | 'lease_until'>): Write {
    const ttl = Math.floor(this.#now() / 1000) + KEPT_SECONDS
    const kept = {
      fingerprint: this.#fingerprint,
      lease: this.#lease,
      ...state,
      bound: state.bound && { ...state.bound },
    }
    return { put: { ...this.#key(), version: this.#version + 1, ...kept, ttl }, was: this.#version }
  }

  #key() {
    return idempotencyKey(this.#work.merchant, this.#keys.lookup)
  }

  #isOver(item: Item): boolean {
    return item.ttl! * 1000 <= this.#now()
  }

  #now(): number {
    return this.#work.now()
  }
}

/**
 * The keys derived from an `Idempotency-Key`. Publishable and secret API keys get different ones: a publishable key is
 * public, so a request with it must not occupy an idempotency key of the merchant's server or read its stored response.
 * The derivation for secret keys must not change: a retry across a deployment must find what the first request stored.
 */
function derivedKeys(client_key: string, publishable: boolean): { lookup: string; fingerprint: Buffer; seal: Buffer } {
  const namespace = publishable ? 'idempotency publishable' : 'idempotency'
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', client_key, '', `${namespace} ${purpose}`, 32))
  return { lookup: derive('lookup').toString('hex'), fingerprint: derive('fingerprint'), seal: derive('answer') }
}

/** Of what is secret in payment details, this much tells one request from another. The rest must not even be hashed. */
const told: Secrets = {
  verification_value: () => undefined,
  user_password: () => undefined,
  number: (number) => String(number).slice(-4),
  prepaid_number: (number) => String(number).slice(-4),
}
type Secrets = Readonly<Record<string, (secret: unknown) => unknown>>

/** One text for one request, whether it came as a form or as JSON: names in order, numbers and booleans as text, files by their hash. */
function canonical(value: unknown, secrets: Secrets = told): string {
  if (Array.isArray(value)) return `[${value.map((inner) => canonical(inner, secrets)).join()}]`
  if (value === null) return 'null'
  if (value instanceof Uint8Array) return createHash('sha256').update(value).digest('hex')
  if (typeof value !== 'object') return JSON.stringify(String(value))
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  const said = fields.flatMap(([name, inner]) => {
    const shown = Object.hasOwn(secrets, name) ? secrets[name]!(inner) : inner
    return shown === undefined ? [] : `${JSON.stringify(name)}:${canonical(shown, name === 'metadata' ? {} : secrets)}`
  })
  return `{${said.join()}}`
}

/** Long answers are deflated, so that the longest still fits into an item. */
const DEFLATED_FROM_BYTES = 16_384

function sealed(key: Buffer, { statusCode, body }: Answer): string {
  const plain = Buffer.from(`${statusCode}${body}`)
  return plain.length < DEFLATED_FROM_BYTES
    ? `plain:${lock(key, plain)}`
    : `deflated:${lock(key, deflateRawSync(plain))}`
}

function unsealed(key: Buffer, text: string): Answer {
  const [form, locked] = text.split(':') as [string, string]
  const opened = unlock(key, locked)
  const plain = (form === 'plain' ? opened : inflateRawSync(opened)).toString()
  const replayed = { ...okAnswer(null, ''), statusCode: Number(plain.slice(0, 3)), body: plain.slice(3) }
  return { ...replayed, headers: { 'Idempotent-Replayed': 'true' } }
}
