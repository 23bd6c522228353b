import type { Write } from '#shared/platform/ports.ts'
import { OUTBOX } from '#shared/store/keys.ts'
import { Epochs } from './epochs.ts'

/** Most records that a function is handed at a time. */
const BATCH = 100

/** One record as the table's stream tells it: the key of what was put. */
export interface StreamRecord {
  readonly epoch: number
  readonly dynamodb: { readonly Keys: Readonly<Record<'pk' | 'sk', { readonly S: string }>> }
}

/** What the table's stream would hand to the fan-out. What it loses when the process ends, the due index still knows. */
export class LocalStream {
  readonly #epochs: Epochs
  #records: StreamRecord[] = []
  /** Called when there is something to take. */
  onArrival: () => void = () => {}

  constructor(epochs = new Epochs()) {
    this.#epochs = epochs
  }

  /** Notes the rows of a commit that the stream's filter lets through. */
  readonly committed = (writes: readonly Write[]): void => {
    this.#epochs.committed(writes)
    const epoch = this.#epochs.current
    for (const write of writes) {
      if (!('put' in write)) continue
      const { pk, sk } = write.put
      if (sk === OUTBOX.sk && pk.startsWith(OUTBOX.pk_prefix))
        this.#records.push({ epoch, dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } } } })
    }
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

  /** Takes the first records, all of one epoch. */
  take(): StreamRecord[] {
    const other = this.#records.findIndex(({ epoch }) => epoch !== this.#records[0]!.epoch)
    return this.#records.splice(0, other < 0 ? BATCH : Math.min(other, BATCH))
  }
}
