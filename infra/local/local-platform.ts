import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { LogEntry, Platform } from '#shared/platform/ports.ts'
import { resolve } from '#shared/platform/resolve.ts'
import { Epochs } from './epochs.ts'
import { FileBucket } from './file-bucket.ts'
import { KeyFileVault } from './key-file-vault.ts'
import { LocalQueue } from './local-queue.ts'
import { LocalStream } from './local-stream.ts'
import { SqliteTable, type SqliteTableOptions } from './sqlite-table.ts'
import { VirtualClock } from './virtual-clock.ts'

/** The table of a data folder. */
export const TABLE_FILE = 'table.sqlite'

/** The key of its vault. */
export const KEY_FILE = 'vault.key'

/** The contents of files. */
export const FILES_FOLDER = 'files'

/** How far its clock is ahead; there once it was turned. */
export const CLOCK_FILE = 'clock'

/** The ports on one machine, with what a local run can do besides: turn the clock, look into queues, close. */
export interface LocalPlatform extends Platform {
  readonly table: SqliteTable
  readonly queues: { readonly deliveries: LocalQueue; readonly captures: LocalQueue; readonly chores: LocalQueue }
  readonly bucket: FileBucket
  readonly clock: VirtualClock
  /** What a clock call waits for, and what it does not. */
  readonly epochs: Epochs
  /** What was written and somebody is to be told of. */
  readonly stream: LocalStream
}

export interface LocalPlatformOptions {
  /** Where all data is kept; made when it is not there. */
  readonly data_dir: string
  readonly log?: (entry: LogEntry) => void
  readonly onUse?: SqliteTableOptions['onUse']
  /** Epoch milliseconds: the clock moves only when it is turned. */
  readonly frozen_at?: number
  /** Who tells the addresses of host names; without, the name servers. */
  readonly names?: Platform['resolve']
  /** Another process may be serving from the folder, which is then left to do so. */
  readonly beside?: boolean
}

/** Opens the data folder. Throws an error of one sentence when it cannot be used. */
export function openLocalPlatform(options: LocalPlatformOptions): LocalPlatform {
  const { data_dir, log = () => {}, onUse, frozen_at, names = resolve, beside } = options
  makeWritable(data_dir)
  refuseLostKey(data_dir)
  const clock = new VirtualClock({ file: join(data_dir, CLOCK_FILE), frozen_at })
  const vault = new KeyFileVault(join(data_dir, KEY_FILE))
  const epochs = new Epochs()
  const queue = () => new LocalQueue(clock, epochs)
  const stream = new LocalStream(epochs)
  return {
    table: new SqliteTable({ file: join(data_dir, TABLE_FILE), clock, onUse, onCommit: stream.committed, beside }),
    queues: { deliveries: queue(), captures: queue(), chores: queue() },
    vault,
    bucket: new FileBucket({ folder: join(data_dir, FILES_FOLDER), keyFor: (use) => vault.keyFor(use), clock, beside }),
    clock,
    epochs,
    stream,
    resolve: names,
    log,
    live_acquirer: 'sandbox',
    loopback_webhooks: true,
  }
}

/** A new key would open nothing of what an old one has sealed. */
function refuseLostKey(data_dir: string): void {
  if (existsSync(join(data_dir, TABLE_FILE)) && !existsSync(join(data_dir, KEY_FILE)))
    throw new Error(
      `The key file ${KEY_FILE} is missing in ${data_dir}: put it back, or remove the folder to begin anew.`,
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
