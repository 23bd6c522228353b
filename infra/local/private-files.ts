import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

/** Restricts every file and folder that this process creates from now on to its user, whatever the shell's umask is. */
export function createPrivately(): void {
  process.umask(0o077)
}

/**
 * Restricts these entries of a data folder, and the content of those that are folders, to their user. It skips entries
 * that do not exist. Other files in the data folder may have another purpose, so their modes stay.
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
