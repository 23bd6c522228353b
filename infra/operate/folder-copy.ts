import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DRAFT } from '../local/file-bucket.ts'
import { KeyFileVault } from '../local/key-file-vault.ts'
import {
  CLOCK_FILE,
  FILES_FOLDER,
  KEY_FILE,
  makeDataPrivate,
  refuseLostKey,
  STRIPE_FILE,
  TABLE_FILE,
} from '../local/local-platform.ts'
import { SqliteTable } from '../local/sqlite-table.ts'
import { refuseOtherKey } from '../local/vault-key-check.ts'
import { VirtualClock } from '../local/virtual-clock.ts'

/**
 * Copies a data folder into a new one, also while a process serves from the folder. Returns the number of items in the
 * copy. Throws if there is no data, or if the new folder is not empty.
 */
export async function copyFolder(data_dir: string, to: string): Promise<number> {
  if (!existsSync(join(data_dir, TABLE_FILE)))
    throw new Error(`There is no data in ${data_dir}. Name the folder with --data-dir.`)
  refuseLostKey(data_dir)
  makeEmpty(to)
  withTable(data_dir, (table) => table.copyTo(join(to, TABLE_FILE)))
  // The table is copied first. A stored file never changes, so the copy has every file that its table refers to.
  copyOtherFiles(data_dir, to)
  return itemsIn(to)
}

/**
 * Copies what `copyFolder` stored into a new data folder. Returns the number of items. Throws for a folder that is not
 * empty, and for a backup without its table or its key.
 */
export async function restoreFolder(from: string, data_dir: string): Promise<number> {
  for (const name of [TABLE_FILE, KEY_FILE])
    if (!existsSync(join(from, name))) throw new Error(`${from} holds no backup: ${name} is missing.`)
  makeEmpty(data_dir)
  copyFileSync(join(from, TABLE_FILE), join(data_dir, TABLE_FILE))
  copyOtherFiles(from, data_dir)
  return itemsIn(data_dir)
}

function makeEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty, and nothing is overwritten.`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

function copyOtherFiles(from: string, to: string): void {
  for (const name of [KEY_FILE, CLOCK_FILE, STRIPE_FILE])
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name))
  const files = join(from, FILES_FOLDER)
  // A draft can vanish at any moment, and the table refers to no draft.
  const filter = (path: string) => !path.endsWith(DRAFT)
  if (existsSync(files)) cpSync(files, join(to, FILES_FOLDER), { recursive: true, filter })
  // A copy has the mode of its original, and an older version may have left the original open to other users.
  makeDataPrivate(to)
}

/** Counts the items by reading the whole copy, so that a broken copy is not taken for a backup. */
function itemsIn(folder: string): number {
  return withTable(folder, (table) => table.items().reduce((all) => all + 1, 0))
}

/**
 * Returns the result of `use` for the table of a folder. Throws when the key of the folder does not belong to the
 * table.
 */
function withTable<T>(folder: string, use: (table: SqliteTable) => T): T {
  const table = new SqliteTable({ file: join(folder, TABLE_FILE), clock: new VirtualClock(), unlocked: true })
  try {
    refuseOtherKey(new KeyFileVault(join(folder, KEY_FILE)), table)
    return use(table)
  } finally {
    table.close()
  }
}
