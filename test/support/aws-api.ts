import { createRequire } from 'node:module'
import { join } from 'node:path'
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
  const queue_urls = await nameNewResources()
  const platform: Platform = { ...platformWithBucket({}), log: () => {}, ...changes }
  const invoke = invoker(platform)
  return { ...(await serve(gateway(invoke), platform)), invoke, queue_urls }
}

/**
 * The same with what is deployed: the functions are bundles in a folder, which find their table and all else by their
 * environment alone, as they do on Lambda.
 */
export async function openBundledApi(bundles: string): Promise<Service> {
  await nameNewResources()
  const load = createRequire(import.meta.url)
  const invoke: Invoke = (file, event) => load(join(bundles, file, 'index.js')).handler(event, {})
  return serve(gateway(invoke), platformWithBucket({}))
}

/** Makes a table, queues, a key and a bucket, and names them in the environment as a stage does to its functions. */
async function nameNewResources(): Promise<Record<QueueName, string>> {
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
  return queue_urls
}
