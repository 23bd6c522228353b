import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passes } from 'node:timers/promises'
import { card } from '#test/fixtures/api.ts'
import { type LocalRun, startLocally } from '#test/fixtures/local-run.ts'
import type { Health } from '#test/fixtures/receivers.ts'
import { requestBytes } from './load.ts'
import type { Noted } from './receivers.ts'

/** The service in a process of its own, as `npm start` runs it, and receivers in another process. */
export interface Stage {
  readonly run: LocalRun
  readonly port: number
  /** The URLs of the receivers, in the order of their healths. */
  readonly urls: readonly string[]
  /**
   * Waits for this number of deliveries to succeeding receivers, and returns their first POSTs since the last call.
   * Throws after 20 s without a delivery.
   */
  takeAll(count: number): Promise<readonly Noted[]>
  /** Creates a merchant with webhooks at these URLs and returns its secret key. */
  merchant(urls: readonly string[]): Promise<string>
  close(): Promise<void>
}

/** The wait without a delivery after which `takeAll` throws. */
const QUIET_MS = 20_000

/** The folder for data when the disk is not measured: in memory, if the machine has `/dev/shm`. */
export const off_disk = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export async function openStage(healths: readonly Health[]): Promise<Stage> {
  const data_dir = mkdtempSync(join(off_disk, 'deliveries-'))
  const child = fork(join(import.meta.dirname, 'receivers.ts'), { execArgv: ['--disable-warning=ExperimentalWarning'] })
  const { urls } = await asked<{ urls: string[] }>(child, { open: healths })
  const run = await startLocally(data_dir, () => {}, {})
  const take = async () => (await asked<{ noted: Noted[] }>(child, 'take')).noted
  return {
    run,
    port: Number(new URL(run.url).port),
    urls,
    async takeAll(count) {
      const all: Noted[] = []
      for (let arrived_at = performance.now(); all.length < count; await passes(10)) {
        const noted = await take()
        all.push(...noted)
        if (noted.length > 0) arrived_at = performance.now()
        else if (performance.now() - arrived_at > QUIET_MS)
          throw new Error(`${all.length} of ${count} deliveries arrived`)
      }
      return all
    },
    async merchant(to) {
      const { secret_key: key } = (await run.send('POST /_local/merchants'))!.body.test
      for (const url of to)
        await run.send('POST /webhooks', {
          key,
          json: { url, event_list: ['payment.captured'], secret_token: 'a secret' },
        })
      return key
    },
    async close() {
      await run.kill()
      child.kill()
      rmSync(data_dir, { recursive: true })
    },
  }
}

async function asked<A>(child: ChildProcess, message: object | string): Promise<A> {
  child.send(message)
  const [answer] = await once(child, 'message')
  return answer as A
}

/** The bytes of a request that makes a payment. The receivers recognize the payment by its number. */
export function paymentRequest(key: string, number: number): Buffer {
  const headers = { authorization: `Basic ${btoa(`${key}:`)}`, 'content-type': 'application/json' }
  const payment = { amount: 1000, currency: 'JPY', payment_details: card(), external_order_num: String(number) }
  return requestBytes('POST', '/api/v1/payments', headers, JSON.stringify(payment))
}
