import { gateway, invoker } from '#infra/local/server.ts'
import type { Invoke } from '#infra/local/workers.ts'
import type { Platform, QueueName } from '#shared/platform/ports.ts'
import { platformWithBucket } from '#shared/platform/with-bucket.ts'
import { type Service, serve } from './api.ts'
import { createBucket, createKey, createQueue, createTable } from './moto.ts'

/** The service over real HTTP on the platform of AWS, by the machine's own clock. */
export interface AwsApi extends Service {
  /** Calls a function as Lambda does. */
  readonly invoke: Invoke
  readonly queue_urls: Readonly<Record<QueueName, string>>
}

/** Opens the service on AWS as `AWS_ENDPOINT_URL` and its like name it, with a new table; once in a process. */
export async function openAwsApi(changes: Partial<Platform> = {}): Promise<AwsApi> {
  const queue_urls = { deliveries: await createQueue(), captures: await createQueue(), chores: await createQueue() }
  Object.assign(process.env, {
    TABLE_NAME: await createTable(),
    DELIVERIES_QUEUE_URL: queue_urls.deliveries,
    CAPTURES_QUEUE_URL: queue_urls.captures,
    CHORES_QUEUE_URL: queue_urls.chores,
    VAULT_KEY_ID: await createKey(),
    FILES_BUCKET: await createBucket(),
    LIVE_ACQUIRER: 'sandbox',
  })
  const platform: Platform = { ...platformWithBucket({}), log: () => {}, ...changes }
  const invoke = invoker(platform)
  return { ...(await serve(gateway(invoke), platform)), invoke, queue_urls }
}
