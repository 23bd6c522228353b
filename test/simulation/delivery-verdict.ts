import type { Delivery } from '#shared/domain/delivery.ts'
import { creationTimeOf } from '#shared/domain/ids.ts'
import type { Table } from '#shared/platform/ports.ts'
import { deliveryList } from '#shared/store/deliveries.ts'
import { eventList } from '#shared/store/events.ts'
import type { List } from '#shared/store/list-keys.ts'
import { pageOf } from '#shared/store/list-page.ts'
import type { Audit } from './delivery-audit.ts'
import type { Story } from './delivery-story.ts'
import { HOUR, type World } from './delivery-world.ts'
import type { MemoryTable } from './memory-table.ts'

/** What must be so of a history that has come to its end, when nothing is due any more. */
export class Verdict {
  readonly #audit: Audit
  readonly #memory: MemoryTable
  readonly #world: World
  readonly #merchant: string
  readonly #impatient: Table

  constructor(audit: Audit, memory: MemoryTable, world: World, merchant: string) {
    this.#audit = audit
    this.#memory = memory
    this.#world = world
    this.#merchant = merchant
    this.#impatient = impatient(memory)
  }

  async reach(): Promise<void> {
    const { wrong } = this.#audit
    if (wrong) return
    this.#nothingLeft()
    this.#everybodyTold()
    for (const [id, story] of this.#audit.stories) this.#settled(id, story)
    this.#audit.complain(this.#audit.posts.explained())
    this.#listed()
    await this.counted(this.#countedLists())
  }

  /** The first page of counted lists is what their entries say. Nobody writes meanwhile, so it must be exact. */
  async counted(lists: readonly List[] = [deliveryList(this.#merchant)]): Promise<void> {
    for (const list of lists) {
      const entries = this.#memory.items.get(list.pk) ?? []
      if (entries.length < 2) continue
      // All after that is read and not counted, which is exact at any time.
      const now = Math.min(this.#world.now, creationTimeOf(entries.at(-1)!.sk) + 2 * HOUR)
      const { total, ids } = await pageOf(this.#impatient, list, { page: 1, per_page: 100, now })
      const right = entries.map(({ sk }) => sk).toReversed()
      if (total !== right.length || ids.join() !== right.slice(0, 100).join())
        this.#audit.complain(`${list.pk} is counted as ${total} and holds ${right.length}`)
    }
  }

  #nothingLeft(): void {
    const due = [...this.#memory.due_index.shards.values()].flat().map(({ pk, sk, due_at }) => `${pk} ${sk} ${due_at}`)
    if (due.length > 0) this.#audit.complain(`there is still due: ${due.join(', ')}`)
    for (const [pk, items] of this.#memory.items)
      if (pk.startsWith('event#') && items.some(({ sk }) => sk === 'outbox'))
        this.#audit.complain(`${pk} was never told`)
    for (const process of this.#world.running) this.#audit.complain(`${process.name} never ended`)
  }

  /** Each event has one delivery to everybody who was there before it and wanted it all the time until it was told. */
  #everybodyTold(): void {
    const made = new Set([...this.#audit.stories.values()].map(({ event, receiver }) => `${event} ${receiver}`))
    const missing = (event: string, receiver: string) => {
      if (!made.has(`${event} ${receiver}`)) this.#audit.complain(`${receiver} is never told of ${event}`)
    }
    for (const [id, told] of this.#audit.events) {
      for (const webhook of this.#audit.webhooks.keys())
        if (this.#audit.wanted(webhook, told, told.told_at, 'every')) missing(id, webhook)
      const own = told.event.about.kind === 'payment' ? this.#audit.payments.get(told.event.about.id)! : []
      for (const [entry, { events }] of own.entries())
        if (events.some((type) => type === told.event.type)) missing(id, `entry ${entry}`)
    }
  }

  #settled(id: string, story: Story): void {
    if (story.status === 'pending') this.#audit.complain(`delivery ${id} is pending for ever`)
    const items = this.#memory.items.get(`delivery#${this.#merchant}#${id}`)!
    const attempts = items.filter(({ sk }) => sk !== 'delivery')
    const item = items.find(({ sk }) => sk === 'delivery') as unknown as Delivery
    if (item.status !== story.status) this.#audit.complain(`delivery ${id} is ${item.status}, not ${story.status}`)
    if (attempts.some(({ sk }, number) => sk !== `attempt#${String(number).padStart(6, '0')}`))
      this.#audit.complain(`delivery ${id} has a gap between its attempts`)
    if (attempts.length !== story.made || item.attempts_made !== story.made)
      this.#audit.complain(`delivery ${id} has ${attempts.length} attempts, told as ${item.attempts_made}`)
  }

  #listed(): void {
    const records = [...this.#memory.items.values()].flat().filter(({ sk }) => sk === 'delivery')
    const right = records.flatMap(({ pk, status, webhook, payment }) => {
      const id = pk.split('#')[2]
      const facet = `${status}/${webhook ?? ''}/${payment ?? ''}`
      const lists = ['', ...(webhook ? [`#webhook#${webhook}`] : []), ...(payment ? [`#payment#${payment}`] : [])]
      return lists.map((list) => `list#delivery#${this.#merchant}${list} ${id} ${facet}`)
    })
    const entries = [...this.#memory.items].flatMap(([pk, items]) =>
      pk.startsWith('list#delivery#') && !pk.endsWith('#count')
        ? items.map(({ sk, facet }) => `${pk} ${sk} ${facet}`)
        : [],
    )
    if (right.sort().join() !== entries.sort().join())
      this.#audit.complain('the lists of deliveries are not what is kept')
  }

  #countedLists(): List[] {
    const [value] = this.#audit.webhooks.keys()
    const own = value ? [deliveryList(this.#merchant, { by: 'webhook', value })] : []
    return [eventList(this.#merchant), deliveryList(this.#merchant), ...own]
  }
}

/** The table as a reader sees it who takes even a short list for a long one, and counts it. */
const impatient = (memory: MemoryTable): Table => ({
  get: (keys) => memory.get(keys),
  count: (range) => memory.count(range),
  write: (writes) => memory.write(writes),
  due: (range) => memory.due(range),
  query: (range) => memory.query({ ...range, limit: range.limit && 1 }),
})
