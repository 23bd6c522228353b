import type { SQSBatchResponse } from 'aws-lambda'
import type { Message } from '#shared/platform/ports.ts'
import type { Api } from '#test/fixtures/api.ts'

type Worker = (event: never, context: never) => Promise<SQSBatchResponse>

/** Calls a worker with messages in the records `m0`, `m1` and so on. Returns the ids of the records that failed. */
export async function callWorker(handler: Worker, { injected }: Api, messages: readonly Message[]): Promise<string[]> {
  const Records = messages.map((message, index) => ({ messageId: `m${index}`, body: JSON.stringify(message) }))
  const { batchItemFailures } = await handler({ Records } as never, { platform: injected } as never)
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)
}
