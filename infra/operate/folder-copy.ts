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
  TABLE_FILE,
} from '../local/local-platform.ts'
import { SqliteTable } from '../local/sqlite-table.ts'
import { refuseOtherKey } from '../local/vault-key-check.ts'
import { VirtualClock } from '../local/virtual-clock.ts'

/** Copies a data folder into a new one, also while a process serves from it. Answers how many items it holds. */
export async function copyFolder(data_dir: string, to: string): Promise<number> {
  if (!existsSync(join(data_dir, TABLE_FILE)))
    throw new Error(`There is no data in ${data_dir}. Name the folder with --data-dir.`)
  refuseLostKey(data_dir)
  makeEmpty(to)
  withTable(data_dir, (table) => table.copyTo(join(to, TABLE_FILE)))
  // Behind the table: a file never changes, so that every file that the table knows of is among these.
  copyBeside(data_dir, to)
  return itemsIn(to)
}

/** Brings what `copyFolder` has kept into a new data folder. Refuses one that holds anything. */
export async function restoreFolder(from: string, data_dir: string): Promise<number> {
  for (const name of [TABLE_FILE, KEY_FILE])
    if (!existsSync(join(from, name))) throw new Error(`${from} holds no backup: ${name} is missing.`)
  makeEmpty(data_dir)
  copyFileSync(join(from, TABLE_FILE), join(data_dir, TABLE_FILE))
  copyBeside(from, data_dir)
  return itemsIn(data_dir)
}

function makeEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty, and nothing is overwritten.`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

function copyBeside(from: string, to: string): void {
  for (const name of [KEY_FILE, CLOCK_FILE])
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name))
  const files = join(from, FILES_FOLDER)
  // What is still being written may be gone in the next moment, and the table does not know of it.
  const filter = (path: string) => !path.endsWith(DRAFT)
  if (existsSync(files)) cpSync(files, join(to, FILES_FOLDER), { recursive: true, filter })
  // A copy has the mode of its original, which may be an older one.
  makeDataPrivate(to)
}

/** Reads the copy from end to end, so that a broken one is not taken for a backup. */
function itemsIn(folder: string): number {
  return withTable(folder, (table) => table.items().reduce((all) => all + 1, 0))
}

/** The result of `use` for the table of a folder. Throws when the key of the folder does not belong to the table. */
function withTable<T>(folder: string, use: (table: SqliteTable) => T): T {
  const table = new SqliteTable({ file: join(folder, TABLE_FILE), clock: new VirtualClock(), beside: true })
  try {
    refuseOtherKey(new KeyFileVault(join(folder, KEY_FILE)), table)
    return use(table)
  } finally {
    table.close()
  }
}
