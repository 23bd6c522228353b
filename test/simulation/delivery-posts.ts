import type { Event } from '#shared/domain/event.ts'
import type { PostRequest } from '#shared/webhooks/guarded-post.ts'
import type { Recorded } from './delivery-story.ts'
import type { Process } from './delivery-world.ts'

/** What a worker holds: the delivery, the number of the attempt it makes, and the faults that had hit it when it took hold. */
export interface Hold {
  readonly delivery: string
  readonly number: number
  readonly hits: number
}

interface Post extends Hold {
  readonly process: Process
}

/** So often not even many faults let one attempt be POSTed. */
const TIMES_MAX = 60

/** All POSTs that workers make, be it that they arrive or not, and the attempts that are recorded of them. Each step answers what is wrong. */
export class Posts {
  readonly #posts: Post[] = []
  /** The numbers of the POSTs that an attempt tells of. */
  readonly #recorded = new Set<number>()
  readonly #rows = new Map<string, Recorded>()
  readonly #bodies = new Map<string, string>()
  /** How often each attempt was posted. */
  readonly #times = new Map<string, number>()

  /** What the next POST is numbered. */
  get next(): number {
    return this.#posts.length
  }

  figures(): [string, number][] {
    return [
      ['posts', this.#posts.length],
      ['posts made twice', this.#posts.length - this.#times.size],
    ]
  }

  /** The row of an attempt, if there is one. */
  row(delivery: string, number: number): Recorded | undefined {
    return this.#rows.get(`${delivery} ${number}`)
  }

  made(process: Process, hold: Hold, { headers, body }: PostRequest, event: Event): string | undefined {
    const { delivery, number } = hold
    const name = `${delivery} ${number}`
    const times = (this.#times.get(name) ?? 0) + 1
    this.#times.set(name, times)
    this.#posts.push({ ...hold, process })
    const before = this.#bodies.get(delivery) ?? body
    this.#bodies.set(delivery, body)
    if (before !== body) return `delivery ${delivery} has another body than before`
    if (headers['X-Service-ID'] !== delivery) return `delivery ${delivery} is posted as ${headers['X-Service-ID']}`
    if (JSON.parse(body).id !== event.id || headers['X-Service-Event'] !== event.type)
      return `delivery ${delivery} tells of another event`
    return times > TIMES_MAX ? `attempt ${number} of ${delivery} is posted over and over` : undefined
  }

  /** An attempt is recorded. What it tells as its latency is the number of its POST. */
  recorded(
    process: Process,
    attempt: Recorded & { readonly delivery: string; readonly latency_ms: number },
  ): string | undefined {
    const { delivery, number, error, latency_ms } = attempt
    const is_second = this.row(delivery, number)
    this.#rows.set(`${delivery} ${number}`, attempt)
    if (is_second) return `delivery ${delivery} has two attempts ${number}`
    if (error === 'webhook_deleted' || error === 'webhook_inactive') return undefined
    this.#recorded.add(latency_ms)
    const post = this.#posts[latency_ms]
    if (post?.delivery === delivery && post.number === number && post.process === process) return undefined
    return `delivery ${delivery} has an attempt ${number} that was not made`
  }

  /** A worker that no fault has hit since it took hold of a delivery makes its attempt alone, and records it. */
  explained(): string | undefined {
    const alone = new Set<string>()
    for (const [serial, { delivery, number, process, hits }] of this.#posts.entries()) {
      if (process.hits > hits) continue
      const name = `attempt ${number} of ${delivery}`
      if (alone.has(name)) return `${name} is posted twice for no reason`
      alone.add(name)
      if (!this.#recorded.has(serial)) return `${name} by ${process.name} is not recorded`
    }
    return undefined
  }
}
