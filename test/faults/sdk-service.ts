import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passes } from 'node:timers/promises'
import { vi } from 'vitest'
import { control } from '#infra/local/control.ts'
import { type LocalPlatform, openLocalPlatform } from '#infra/local/local-platform.ts'
import { gateway, invoker } from '#infra/local/server.ts'
import { type Invoke, Workers } from '#infra/local/workers.ts'
import { DynamodbTable } from '#shared/platform/aws/dynamodb-table.ts'
import { KmsVault } from '#shared/platform/aws/kms-vault.ts'
import { s3Bucket } from '#shared/platform/aws/s3-bucket.ts'
import { sqsQueue } from '#shared/platform/aws/sqs-queue.ts'
import type { Clock, LogEntry, Platform, QueueName } from '#shared/platform/ports.ts'
import { type Api, nameless, START, serve } from '#test/fixtures/api.ts'
import { type EmulatorOptions, emulated } from './aws-emulator.ts'
import { type FaultyEndpoint, startFaultyEndpoint } from './faulty-endpoint.ts'

/**
 * The service in one process. Every function calls its platform through the AWS SDK with all its retries, and `endpoint`
 * makes these calls fail.
 */
export interface SdkService extends Api {
  readonly endpoint: FaultyEndpoint
  /** The ports that call `endpoint`. */
  readonly ports: Platform
  /** How functions call their platform: through the SDK, or directly, which is faster and never fails. */
  through: 'sdk' | 'ports'
  /** Calls a function as Lambda does. */
  readonly invoke: Invoke
}

/** Opens the service on a new folder. Its clock moves only when a test advances it. */
export async function openSdkService(options: EmulatorOptions = {}): Promise<SdkService> {
  const data_dir = mkdtempSync(join(tmpdir(), 'sdk-'))
  const logs: LogEntry[] = []
  const local = openLocalPlatform({ data_dir, frozen_at: START, names: nameless, log: (entry) => logs.push(entry) })
  const endpoint = await startFaultyEndpoint(emulated(local, options))
  const ports = throughSdk(local, endpoint.url)
  const invokers = { sdk: invoker(ports), ports: invoker(local) }
  const invoke: Invoke = (file, event) => invokers[sdk_service.through](file, event)
  const workers = new Workers(local, invoke)
  const service = await serve(
    gateway(invoke, (event) => control(local, workers, event)),
    local,
  )
  const sdk_service: SdkService = {
    ...service,
    platform: local,
    workers,
    logs,
    data_dir,
    endpoint,
    ports,
    through: 'sdk',
    invoke,
    advance: (seconds) => workers.advanceTo(local.clock.now() + seconds * 1000),
    async close() {
      await service.close()
      await endpoint.stop()
      local.table.close()
      rmSync(data_dir, { recursive: true })
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
    queues: { deliveries: queue('deliveries'), captures: queue('captures'), chores: queue('chores') },
    vault: new KmsVault('key'),
    bucket: s3Bucket('files'),
  }
}
