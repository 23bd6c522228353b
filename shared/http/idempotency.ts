import { createHash, createHmac, hkdfSync, randomUUID } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { decrypt, encrypt } from '#shared/crypto/cipher.ts'
import { Refusal } from '#shared/domain/errors.ts'
import type { BegunOperation } from '#shared/domain/operation-progress.ts'
import type { Item, Write } from '#shared/platform/ports.ts'
import { idempotencyKey } from '#shared/store/keys.ts'
import { attributesOf } from '#shared/store/kind.ts'
import type { OperationLease } from '#shared/store/operation-lease.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { type Answer, okAnswer } from './answers.ts'

const KEPT_SECONDS = 24 * 60 * 60

/**
 * The length of the lease on an idempotency key. No request runs that long, so an expired lease means that the request
 * crashed.
 */
const LEASE_MILLISECONDS = 40_000

/**
 * The statuses of responses that do not say what the request did. Such responses are not stored, so the same key can be
 * used for another try.
 */
const NOT_KEPT = new Set([400, 401, 403, 409, 415, 429])

/**
 * The item that is stored under an idempotency key. Only a hash of the key is stored, and the fingerprint and the
 * response are unreadable without the key.
 */
interface Kept {
  readonly fingerprint: string
  readonly lease: string
  readonly lease_until: number
  /** The operation that the first request began at the acquirer; null once the response is stored. */
  readonly bound: BegunOperation | null
  /** The first response, encrypted; null while the request is in flight or its outcome is unknown. */
  readonly answer: string | null
}

/** Reports whether a response with this status is stored and replayed. */
export const isKept = (status: number): boolean => status < 500 && !NOT_KEPT.has(status)

/**
 * The result of a look-up: the stored response, or the operation that an earlier request began and did not complete.
 */
export interface StoredRequest {
  readonly answer?: Answer
  readonly begun?: BegunOperation
}

/**
 * Returns the range, in epoch seconds, that contains the `ttl` of every item whose lease runs at `now`. A lease begins
 * when the `ttl` is set, so a local run finds these items by the range.
 */
export function ttlsOfRunningLeases(now: number): { from: number; to: number } {
  const begun_after = now - LEASE_MILLISECONDS
  return { from: Math.floor(begun_after / 1000) + KEPT_SECONDS, to: Math.floor(now / 1000) + KEPT_SECONDS }
}

/**
 * Returns the write that ends the lease of an item at once; undefined for any other item. The operation stays bound, so
 * the next request with the key resumes it, as after the lease expires. Call `endingLease` only if the holder of the
 * lease has certainly ended.
 */
export function endingLease(item: Item): Write | undefined {
  const { answer, lease_until } = attributesOf<Partial<Kept>>(item)
  if (answer !== null || !lease_until) return undefined
  return { put: { ...item, lease_until: 0, version: item.version + 1 }, was: item.version }
}

/** The lease of one request on its `Idempotency-Key`. */
export class IdempotencyLease implements OperationLease {
  readonly #work: UnitOfWork
  readonly #keys: { lookup: string; fingerprint: Buffer; seal: Buffer }
  readonly #fingerprint: string
  readonly #lease = randomUUID()
  #bound: BegunOperation | undefined
  #version = 0
  #holds = false

  /** `request` must be the same whenever the key is used again: the route, the path parameters and the body. */
  constructor(work: UnitOfWork, client_key: string, request: unknown) {
    this.#work = work
    this.#keys = derivedKeys(client_key, work.publishable)
    this.#fingerprint = createHmac('sha256', this.#keys.fingerprint).update(canonical(request)).digest('base64')
  }

  /**
   * Looks up what is stored under the key. Refuses a different request with `idempotency_mismatch`, and the same
   * request with `idempotency_in_flight` while the first one is running. If the first request crashed, its operation is
   * taken over.
   */
  async read(): Promise<StoredRequest> {
    const item = await this.#work.read(this.#key())
    const kept = item && !this.#isOver(item) ? (item as Item & Kept) : undefined
    this.#version = item?.version ?? 0
    if (!kept || kept.lease === this.#lease) return {}
    this.#holds = false
    if (kept.fingerprint !== this.#fingerprint) throw new Refusal('idempotency_mismatch')
    if (kept.answer) return { answer: unsealed(this.#keys.seal, kept.answer) }
    const rest_ms = kept.lease_until - this.#now()
    if (rest_ms > 0) throw new Refusal('idempotency_in_flight', { retry_after_seconds: Math.ceil(rest_ms / 1000) })
    await this.#takeOver(kept.bound!)
    return { begun: kept.bound! }
  }

  bind({ payment, attempt }: BegunOperation): Write {
    this.#bound = { payment, attempt }
    return this.#put({ bound: this.#bound, answer: null, lease_until: this.#now() + LEASE_MILLISECONDS })
  }

  held(): void {
    this.#version += 1
    this.#holds = true
  }

  /**
   * Returns the write that stores the response. The write is committed in the transaction of the changes that the
   * response reports.
   */
  answered(answer: Answer): Write {
    return this.#put({ bound: null, answer: sealed(this.#keys.seal, answer), lease_until: 0 })
  }

  /** Releases the lease after an unknown outcome, so that the next request with the key continues at once. */
  async release(): Promise<void> {
    if (!this.#holds || !this.#bound) return
    await this.#work.platform.table.write([this.#put({ bound: this.#bound, answer: null, lease_until: 0 })])
  }

  async #takeOver(bound: BegunOperation): Promise<void> {
    await this.#work.platform.table.write([this.bind(bound)])
    this.held()
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
    return this.#work.realNow()
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

/**
 * The parts of secret payment details that enter the fingerprint: the last four digits of numbers, and nothing of
 * verification values and passwords. The rest must not even be hashed.
 */
const fingerprinted: Secrets = {
  verification_value: () => undefined,
  user_password: () => undefined,
  number: (number) => String(number).slice(-4),
  prepaid_number: (number) => String(number).slice(-4),
}
type Secrets = Readonly<Record<string, (secret: unknown) => unknown>>

/**
 * Returns the same text for the same request, as a form or as JSON: names are sorted, numbers and booleans are text,
 * and files are replaced by their hash.
 */
function canonical(value: unknown, secrets: Secrets = fingerprinted): string {
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

/**
 * The size from which responses are deflated. The item of a typical payment then takes less than 1 KB, which is one write
 * unit less, and the largest response still fits into an item.
 */
const DEFLATED_FROM_BYTES = 512

function sealed(key: Buffer, { statusCode, body }: Answer): string {
  const plain = Buffer.from(`${statusCode}${body}`)
  return plain.length < DEFLATED_FROM_BYTES
    ? `plain:${encrypt(key, plain)}`
    : `deflated:${encrypt(key, deflateRawSync(plain))}`
}

function unsealed(key: Buffer, text: string): Answer {
  const [form, locked] = text.split(':') as [string, string]
  const opened = decrypt(key, locked)
  const plain = (form === 'plain' ? opened : inflateRawSync(opened)).toString()
  const replayed = { ...okAnswer(null, ''), statusCode: Number(plain.slice(0, 3)), body: plain.slice(3) }
  return { ...replayed, headers: { 'Idempotent-Replayed': 'true' } }
}
