import { resolve } from 'node:path'
import { backfillAccounts } from '#shared/accounts/backfill-accounts.ts'
import { startPolling } from '#shared/notifications/poll-events.ts'
import { logLine } from '#shared/platform/log-line.ts'
import type { LogEntry } from '#shared/platform/ports.ts'
import { newMerchants } from '#shared/store/merchants.ts'
import { stripeSettings } from './acquirer-settings.ts'
import { resumeInterruptedWork } from './interrupted-work.ts'
import { type LocalPlatform, openLocalPlatform, STRIPE_FILE } from './local-platform.ts'
import { createPrivately } from './private-files.ts'
import { localService } from './server.ts'
import type { Workers } from './workers.ts'

/** How often the workers look for work that falls due as real time passes. */
const POLL_MS = 500

/** How often expired items are deleted from the table. */
const PURGE_MS = 3_600_000

const PORT = process.env.PORT || '3000'
const HOST = process.env.HOST || '127.0.0.1'
const DATA_DIR = process.env.DATA_DIR || '.data'
const LOG_LEVEL = process.env.LOG_LEVEL || 'error'

/** How long open requests may still take when the server is stopped. */
const SHUTDOWN_MS = 5_000

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

async function main(): Promise<void> {
  if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > 65_535)
    throw new Error(`PORT must be a number up to 65535, not ${PORT}.`)
  createPrivately()
  const stripe = stripeSettings(process.env)
  const platform = openLocalPlatform({ data_dir: resolve(DATA_DIR), log, stripe })
  const { server, workers } = localService(platform, HOST)
  await workers.forgetCursors()
  await resumeInterruptedWork(platform)
  await backfillAccounts(platform)
  await new Promise<void>((listening, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => failed(new Error(listenFailure(error))))
    server.listen(Number(PORT), HOST, listening)
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : PORT
  const origin = `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`
  console.log(`The payment API is at ${origin}/api/v1 and stores its data in ${DATA_DIR}.`)
  console.log(`Open ${origin}/ in a browser to pay a session.`)
  if (stripe) introduceStripe(platform, origin)
  await introduce(platform, origin)
  // Its row would make a first start look like a later one.
  if (stripe) await startPolling(platform, 'stripe')

  workOnArrival(platform, workers)
  const parent = process.ppid
  const polling = setInterval(() => {
    // npm ends without a signal to the server that it has started.
    if (process.env.npm_lifecycle_event && process.ppid !== parent) stop()
    workers.work().catch(logFailure)
  }, POLL_MS)
  const purging = setInterval(() => purge(platform).catch(logFailure), PURGE_MS)
  const stop = () => {
    clearInterval(polling)
    clearInterval(purging)
    server.close(() => {
      platform.table.close()
      process.exit(0)
    })
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS).unref()
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

/**
 * Starts the fan-out and deliveries in the next turn of the event loop, together for everything that arrives until
 * then.
 */
function workOnArrival({ stream, queues }: LocalPlatform, workers: Workers): void {
  stream.onArrival = inNextTurn(() => workers.fanOut().catch(logFailure))
  queues.deliveries.onArrival = inNextTurn(() => workers.deliver())
}

function inNextTurn(act: () => unknown): () => void {
  let is_coming = false
  return () => {
    if (is_coming) return
    is_coming = true
    setImmediate(() => {
      is_coming = false
      act()
    })
  }
}

async function purge({ table, clock }: LocalPlatform): Promise<void> {
  table.purgeExpired(Math.floor(clock.now() / 1000))
}

/** Creates a demo merchant on the first start and prints its keys once. Later starts print how to create a merchant. */
async function introduce({ table, clock }: LocalPlatform, origin: string): Promise<void> {
  const first = table.items().next()
  if (!first.done) {
    console.log(`To create a merchant with new keys: curl -X POST ${origin}/_local/merchants`)
    return
  }
  const { merchants, writes } = newMerchants(clock.now(), 'Demo shop')
  await table.write(writes)
  console.log(`
A demo merchant was created. Its keys are shown only once:
  test  ${merchants.test.secret_key}  ${merchants.test.publishable_key}
  live  ${merchants.live.secret_key}  ${merchants.live.publishable_key}

Try it:
  curl ${origin}/api/v1/payments -u ${merchants.test.secret_key}: \\
    -d amount=1000 -d currency=JPY -d 'payment_details[type]=credit_card' \\
    -d 'payment_details[number]=4111111111111111' -d 'payment_details[name]=Taro Yamada' \\
    -d 'payment_details[month]=12' -d 'payment_details[year]=2030'
`)
}

/** Prints where live payments go, and where the notifications about them must be sent. */
function introduceStripe({ provider_access }: LocalPlatform, origin: string): void {
  const host = provider_access?.host
  console.log(`Live payments go to ${host ? `${host}, in place of Stripe` : 'the test mode of Stripe'}.`)
  console.log(`Its notifications must be sent to ${origin}/notifications/stripe, signed with a secret of`)
  console.log(`${resolve(DATA_DIR, STRIPE_FILE)}. Events whose notifications are lost are found within ten minutes.`)
}

function listenFailure({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return `Port ${PORT} on ${HOST} is in use already. Set PORT to another one.`
  if (code === 'EACCES') return `Port ${PORT} on ${HOST} cannot be opened by this user. Set PORT to another one.`
  return `The server cannot listen on ${HOST}:${PORT}: ${message}.`
}

function log(entry: LogEntry): void {
  if (entry.level === 'error' || LOG_LEVEL === 'info') console.log(logLine(entry))
}

function logFailure(error: unknown): void {
  log({ level: 'error', event: 'work_failed', error: error instanceof Error ? error.name : 'unknown' })
}
