import type { Event } from '#shared/domain/event.ts'
import type { PostRequest } from '#shared/webhooks/guarded-post.ts'
import type { DeliveryInvariants } from './delivery-invariants.ts'
import type { RecordedAttempt } from './delivery-model.ts'
import type { Process } from './world.ts'

/**
 * The lease that a worker believes it holds: the delivery, the number of the attempt, and how many faults the worker
 * had met when it took the lease.
 */
export interface HeldLease {
  readonly delivery: string
  readonly number: number
  readonly hits: number
}

interface Post extends HeldLease {
  readonly process: Process
}

/** All POSTs that workers make, whether they arrive or not, and the attempts that are recorded. */
export class Posts {
  readonly #invariants: DeliveryInvariants
  readonly #posts: Post[] = []
  /** The numbers of the POSTs with a recorded attempt. */
  readonly #recorded = new Set<number>()
  readonly #attempts = new Map<string, RecordedAttempt>()
  readonly #bodies = new Map<string, string>()
  /** The last POST of each attempt by a worker that had met no fault. */
  readonly #faultless = new Map<string, Post>()

  constructor(invariants: DeliveryInvariants) {
    this.#invariants = invariants
  }

  /** The number of the next POST. */
  get next(): number {
    return this.#posts.length
  }

  figures(): [string, number][] {
    return [
      ['posts', this.#posts.length],
      [
        'posts made twice',
        this.#posts.length - new Set(this.#posts.map(({ delivery, number }) => `${delivery} ${number}`)).size,
      ],
    ]
  }

  /** The recorded attempt of that number, if there is one. */
  attempt(delivery: string, number: number): RecordedAttempt | undefined {
    return this.#attempts.get(`${delivery} ${number}`)
  }

  made(process: Process, lease: HeldLease, { headers, body }: PostRequest, event: Event): void {
    const { delivery, number } = lease
    const name = `${delivery} ${number}`
    const post = { ...lease, process }
    this.#posts.push(post)
    if (process.hits === lease.hits) {
      const before = this.#faultless.get(name)
      this.#invariants.check(
        'attempts_match_posts',
        !before || before.process.hits > before.hits,
        () => `attempt ${number} of ${delivery} is posted by ${before?.process.name} and ${process.name}`,
      )
      this.#faultless.set(name, post)
    }
    const first_body = this.#bodies.get(delivery) ?? body
    this.#bodies.set(delivery, first_body)
    const is_right = headers['X-Service-ID'] === delivery && headers['X-Service-Event'] === event.type
    this.#invariants.check(
      'post_shows_event',
      is_right && body === first_body && JSON.parse(body).id === event.id,
      () => `${delivery} of ${event.id} is posted as ${JSON.stringify(headers)} ${body}, before as ${first_body}`,
    )
  }

  /** A worker records an attempt. Here `latency_ms` holds the number of the attempt's POST. */
  recorded(
    process: Process,
    attempt: RecordedAttempt & { readonly delivery: string; readonly latency_ms: number },
  ): void {
    const { delivery, number, error, latency_ms } = attempt
    const name = `attempt ${number} of ${delivery}`
    this.#invariants.check('attempts_match_posts', !this.attempt(delivery, number), () => `${name} is recorded twice`)
    this.#attempts.set(`${delivery} ${number}`, attempt)
    if (error === 'webhook_deleted' || error === 'webhook_inactive') return
    this.#recorded.add(latency_ms)
    const post = this.#posts[latency_ms]
    const is_posted = post?.delivery === delivery && post.number === number && post.process === process
    this.#invariants.check('attempts_match_posts', is_posted, () => `${name} is recorded and was not posted`)
  }

  /** Checks at the end that every POST of a worker that met no fault is recorded. */
  checkRecorded(): void {
    for (const [serial, { delivery, number, process, hits }] of this.#posts.entries())
      this.#invariants.check(
        'attempts_match_posts',
        process.hits > hits || this.#recorded.has(serial),
        () => `attempt ${number} of ${delivery} by ${process.name} is not recorded`,
      )
  }
}
