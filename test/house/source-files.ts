import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The source files in a top-level folder and its subfolders, as paths relative to the top: `shared/domain/ids.ts`. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => posix.join(folder, file))
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file))
    .sort()
}

/** The text of a file whose path is relative to the top folder. */
export function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}
