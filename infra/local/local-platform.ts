import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { resolveHost } from '#shared/platform/dns.ts'
import type { LogEntry, Platform } from '#shared/platform/ports.ts'
import { isSystemError } from './disk-fault.ts'
import { Epochs } from './epochs.ts'
import { FileBucket } from './file-bucket.ts'
import { KeyFileVault } from './key-file-vault.ts'
import { LocalQueue } from './local-queue.ts'
import { LocalStream } from './local-stream.ts'
import { OwnServer } from './own-server.ts'
import { makePrivate } from './private-files.ts'
import { SqliteTable, type SqliteTableOptions } from './sqlite-table.ts'
import { type StripeSettings, stripeAccess } from './stripe-file.ts'
import { refuseOtherKey } from './vault-key-check.ts'
import { VirtualClock } from './virtual-clock.ts'

/** The file of the table in a data folder. */
export const TABLE_FILE = 'table.sqlite'

/** The key file of the vault in a data folder. */
export const KEY_FILE = 'vault.key'

/** The file in a data folder that holds the access to Stripe. It exists once a run has used Stripe. */
export const STRIPE_FILE = 'stripe.json'

/** The folder of the bucket in a data folder. */
export const FILES_FOLDER = 'files'

/** The file in a data folder that holds how far the clock is ahead. It exists once the clock has been advanced. */
export const CLOCK_FILE = 'clock'

/**
 * The ports on one machine, and what only a local run can do: advance the clock, inspect the queues, close the table.
 */
export interface LocalPlatform extends Platform {
  readonly table: SqliteTable
  readonly queues: {
    readonly deliveries: LocalQueue
    readonly captures: LocalQueue
    readonly chores: LocalQueue
    readonly clocks: LocalQueue
  }
  readonly bucket: FileBucket
  readonly clock: VirtualClock
  /** Separates the work that a clock call waits for from other work. */
  readonly epochs: Epochs
  /** The outbox records that were written and are not yet passed to the fan-out. */
  readonly stream: LocalStream
  /** The HTTP server in front of the platform. Until one is set, no address leads to it. */
  readonly own_server: OwnServer
}

export interface LocalPlatformOptions {
  /** The folder that stores all data. It is created if it does not exist. */
  readonly data_dir: string
  readonly log?: (entry: LogEntry) => void
  readonly onUse?: SqliteTableOptions['onUse']
  /** A fixed time in epoch milliseconds that replaces real time: the clock moves only when it is advanced. */
  readonly frozen_at?: number
  /** Resolves host names to addresses. The default asks the name servers. */
  readonly names?: Platform['resolve']
  /** Settings with which Stripe takes live payments. Without settings, the sandbox takes them. */
  readonly stripe?: StripeSettings
  /** Another process may be serving from the folder. No lock is taken, and file modes and drafts are left alone. */
  readonly unlocked?: boolean
}

/** Opens the data folder. Throws an error of one sentence that names the path that cannot be used. */
export function openLocalPlatform(options: LocalPlatformOptions): LocalPlatform {
  const { data_dir, log = () => {}, onUse, frozen_at, names = resolveHost, stripe, unlocked } = options
  const path = (name: string) => join(data_dir, name)
  makeWritable(data_dir)
  refuseLostKey(data_dir)
  if (!unlocked) usable(data_dir, () => makeDataPrivate(data_dir))
  const clock = usable(path(CLOCK_FILE), () => new VirtualClock({ file: path(CLOCK_FILE), frozen_at }))
  const vault = usable(path(KEY_FILE), () => new KeyFileVault(path(KEY_FILE)))
  const epochs = new Epochs()
  const queue = () => new LocalQueue(clock, epochs)
  const stream = new LocalStream(epochs)
  const own_server = new OwnServer()
  const file = path(TABLE_FILE)
  const table = usable(file, () => new SqliteTable({ file, clock, onUse, onCommit: stream.committed, unlocked }))
  try {
    refuseOtherKey(vault, table)
    const folder = path(FILES_FOLDER)
    const keyFor = (use: string) => vault.keyFor(use)
    const bucket = usable(folder, () => new FileBucket({ folder, keyFor, clock, unlocked }))
    return {
      ...{ table, vault, bucket, clock, epochs, stream, own_server, log },
      queues: { deliveries: queue(), captures: queue(), chores: queue(), clocks: queue() },
      provider_access: usable(path(STRIPE_FILE), () => stripeAccess(path(STRIPE_FILE), clock, stripe)),
      resolve: names,
      live_acquirer: stripe ? 'stripe' : 'sandbox',
      loopback_webhooks: true,
      isOwnServer: (address, port) => own_server.isAt(address, port),
    }
  } catch (error) {
    table.close()
    throw error
  }
}

/** Restricts the files of a data folder to its user, whatever their modes were. The mode of the key file stays. */
export function makeDataPrivate(data_dir: string): void {
  const table_files = ['-wal', '-shm', '-lock', '-lock-journal'].map((ending) => TABLE_FILE + ending)
  makePrivate(data_dir, [
    TABLE_FILE,
    ...table_files,
    CLOCK_FILE,
    `${CLOCK_FILE}.new`,
    `${STRIPE_FILE}.new`,
    FILES_FOLDER,
  ])
}

/** Returns the result of `open`. A failed system call becomes an error of one sentence about the path. */
function usable<T>(path: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new Error(
      `${path} cannot be used (${error.message}): solve this problem, or set DATA_DIR to another folder.`,
      {
        cause: error,
      },
    )
  }
}

/** Throws if a folder has a table but no key file. A new key could not open what the old key has sealed. */
export function refuseLostKey(data_dir: string): void {
  if (existsSync(join(data_dir, TABLE_FILE)) && !existsSync(join(data_dir, KEY_FILE)))
    throw new Error(
      `The key file ${KEY_FILE} is missing in ${data_dir}: restore it, or remove the folder to start without data.`,
    )
}

function makeWritable(data_dir: string): void {
  try {
    mkdirSync(data_dir, { recursive: true, mode: 0o700 })
    accessSync(data_dir, constants.W_OK)
  } catch {
    throw new Error(`The data folder ${data_dir} cannot be written to. Set DATA_DIR to one that can.`)
  }
}
