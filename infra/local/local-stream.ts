import type { Key, Write } from '#shared/platform/ports.ts'
import { OUTBOX } from '#shared/store/keys.ts'
import { Epochs } from './epochs.ts'

/** The maximum number of records in one call of a function. */
const BATCH = 100

/** One record of the table's stream: the key of the item that was put, and the epoch of the write. */
export interface StreamRecord {
  readonly epoch: number
  readonly dynamodb: { readonly Keys: Readonly<Record<'pk' | 'sk', { readonly S: string }>> }
}

/**
 * Holds what the table's stream would pass to the fan-out. Its records are lost when the process ends. The next
 * process adds the outbox records that are left in the table.
 */
export class LocalStream {
  readonly #epochs: Epochs
  #records: StreamRecord[] = []
  /** Called when there are records to take. */
  onArrival: () => void = () => {}

  constructor(epochs = new Epochs()) {
    this.#epochs = epochs
  }

  /** Adds the items of a commit that the stream's filter selects: outbox records that were put. */
  readonly committed = (writes: readonly Write[]): void => {
    this.#epochs.committed(writes)
    const put = writes.flatMap((write) => ('put' in write ? write.put : []))
    this.add(put.filter(({ pk, sk }) => sk === OUTBOX.sk && pk.startsWith(OUTBOX.pk_prefix)))
  }

  /** Adds outbox records by their keys. */
  add(keys: readonly Key[]): void {
    const epoch = this.#epochs.current
    for (const { pk, sk } of keys) this.#records.push({ epoch, dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } } } })
    if (!this.isEmpty) this.onArrival()
  }

  get isEmpty(): boolean {
    return this.#records.length === 0
  }

  get size(): number {
    return this.#records.length
  }

  /** Whether there is a record of an epoch before `before`. */
  holds(before: number): boolean {
    return this.#records.some(({ epoch }) => epoch < before)
  }

  /** Takes the first records, up to 100, all of one epoch. */
  take(): StreamRecord[] {
    const other = this.#records.findIndex(({ epoch }) => epoch !== this.#records[0]!.epoch)
    return this.#records.splice(0, other < 0 ? BATCH : Math.min(other, BATCH))
  }
}
