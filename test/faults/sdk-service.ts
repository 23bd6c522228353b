import { setTimeout as passes } from 'node:timers/promises'
import { vi } from 'vitest'
import type { Invoke } from '#infra/local/due-work.ts'
import type { LocalPlatform } from '#infra/local/local-platform.ts'
import { invoker } from '#infra/local/server.ts'
import { DynamodbTable } from '#shared/platform/aws/dynamodb-table.ts'
import { KmsVault } from '#shared/platform/aws/kms-vault.ts'
import { s3Bucket } from '#shared/platform/aws/s3-bucket.ts'
import { sqsQueue } from '#shared/platform/aws/sqs-queue.ts'
import type { Clock, Platform, QueueName } from '#shared/platform/ports.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { type EmulatorOptions, emulated } from './aws-emulator.ts'
import { type FaultyEndpoint, startFaultyEndpoint } from './faulty-endpoint.ts'

/**
 * The service in one process. Every function calls its platform through the AWS SDK with all its retries, and
 * `endpoint` makes these calls fail.
 */
export interface SdkService extends Api {
  readonly endpoint: FaultyEndpoint
  /** The ports that call `endpoint`. */
  readonly ports: Platform
  /**
   * How functions call their platform. `sdk`: through the SDK, which calls `endpoint`. `ports`: the local platform
   * directly, which is faster and never fails.
   */
  through: 'sdk' | 'ports'
  /** Calls a function as Lambda does. */
  readonly invoke: Invoke
}

/** Opens the service on a new folder. Its clock moves only when a test advances it. */
export async function openSdkService(options: EmulatorOptions = {}): Promise<SdkService> {
  const api = await openApi({ invoke: (file, event) => sdk_service.invoke(file, event) })
  const endpoint = await startFaultyEndpoint(emulated(api.platform, options))
  const ports = throughSdk(api.platform, endpoint.url)
  const invokers = { sdk: invoker(ports), ports: invoker(api.platform) }
  const sdk_service: SdkService = {
    ...api,
    endpoint,
    ports,
    through: 'sdk',
    invoke: (file, event) => invokers[sdk_service.through](file, event),
    async close() {
      await api.close()
      await endpoint.stop()
      vi.unstubAllEnvs()
    },
  }
  return sdk_service
}

/** Returns the ports of AWS at `url`. Their clock is the local one, and their own short waits take real time. */
function throughSdk(local: LocalPlatform, url: string): Platform {
  const environment = {
    AWS_ENDPOINT_URL: url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
  }
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  const clock: Clock = { now: () => local.clock.now(), wait: (milliseconds) => passes(milliseconds) }
  const queue = (name: QueueName) => sqsQueue(`${url}/000000000000/${name}`, clock)
  return {
    ...local,
    table: new DynamodbTable('table', clock),
    queues: {
      deliveries: queue('deliveries'),
      captures: queue('captures'),
      chores: queue('chores'),
      clocks: queue('clocks'),
    },
    vault: new KmsVault('key'),
    bucket: s3Bucket('files'),
  }
}
