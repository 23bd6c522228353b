import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

/** Makes every file and folder that this process creates from now on private to its user, whatever the shell's umask is. */
export function createPrivately(): void {
  process.umask(0o077)
}

/**
 * Makes these entries of a data folder, and all that is in those that are folders, private to their user. Entries that are
 * not there are passed over, and others in the data folder are left alone, because they may be somebody else's.
 */
export function makePrivate(data_dir: string, entries: readonly string[]): void {
  for (const entry of entries) {
    const path = join(data_dir, entry)
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found) continue
    const wanted = found.isDirectory() ? FOLDER_MODE : FILE_MODE
    if ((found.mode & 0o077) !== 0) chmodSync(path, wanted)
    if (found.isDirectory()) makePrivate(path, readdirSync(path))
  }
}
