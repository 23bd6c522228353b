import type { Write } from '#shared/platform/ports.ts'
import { OUTBOX } from '#shared/store/keys.ts'

/** Most records that a function is handed at a time. */
const BATCH = 100

/** One record as the table's stream tells it: the key of what was put. */
export interface StreamRecord {
  readonly dynamodb: { readonly Keys: Readonly<Record<'pk' | 'sk', { readonly S: string }>> }
}

/** What the table's stream would hand to the fan-out. What it loses when the process ends, the due index still knows. */
export class LocalStream {
  #records: StreamRecord[] = []
  /** Called when there is something to take. */
  onArrival: () => void = () => {}

  /** Notes the rows of a commit that the stream's filter lets through. */
  readonly committed = (writes: readonly Write[]): void => {
    for (const write of writes) {
      if (!('put' in write)) continue
      const { pk, sk } = write.put
      if (sk === OUTBOX.sk && pk.startsWith(OUTBOX.pk_prefix))
        this.#records.push({ dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } } } })
    }
    if (!this.isEmpty) this.onArrival()
  }

  get isEmpty(): boolean {
    return this.#records.length === 0
  }

  take(): StreamRecord[] {
    return this.#records.splice(0, BATCH)
  }
}
