import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalPlatform, openLocalPlatform } from '#infra/local/local-platform.ts'
import type { LogEntry, Platform } from '#shared/platform/ports.ts'
import { parse } from '#shared/resources/parse.ts'
import { payment_details_object } from '#shared/resources/payment-details.ts'
import { newMerchants } from '#shared/store/merchants.ts'
import { Work, type WorkOptions } from '#shared/store/work.ts'
import { card, nameless, START } from './api.ts'

/** A local platform without the service in front of it, and work on it for a test merchant. */
export interface Working {
  readonly platform: LocalPlatform
  readonly merchant: string
  readonly logs: readonly LogEntry[]
  /** New work, as for a new request; on another platform or merchant where `options` say so. */
  work(options?: Partial<WorkOptions>): Work
  close(): void
}

export async function openWorking(): Promise<Working> {
  const data_dir = mkdtempSync(join(tmpdir(), 'working-'))
  const logs: LogEntry[] = []
  const platform = openLocalPlatform({ data_dir, frozen_at: START, names: nameless, log: (entry) => logs.push(entry) })
  const { merchants, writes } = newMerchants(START)
  await platform.table.write(writes)
  const merchant = merchants.test.id
  return {
    platform,
    merchant,
    logs,
    work: (options) => new Work({ platform, merchant, mode: 'test', base_url: 'https://api.example', ...options }),
    close() {
      platform.table.close()
      rmSync(data_dir, { recursive: true })
    },
  }
}

/** The platform on a clock that stands still and whose waits end at once, or never: those that `ends` says. */
export function impatient(platform: Platform, ends: (milliseconds: number) => boolean, waits: number[] = []): Platform {
  const wait = (milliseconds: number) => {
    waits.push(milliseconds)
    return ends(milliseconds) ? Promise.resolve() : new Promise<void>(() => {})
  }
  return { ...platform, clock: { now: () => platform.clock.now(), wait } }
}

/** Details of a card as a request that was read has them. */
export const cardDetails = (number?: string, fields: object = {}) =>
  parse(payment_details_object, { ...card(number), ...fields })
