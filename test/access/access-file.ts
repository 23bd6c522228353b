import { access_ways, type FunctionAccess } from '#infra/access/function-access.ts'
import type { AccessTable } from './record-access.ts'

/** The committed file that holds the recorded access of every function. */
export const ACCESS_FILE = 'infra/access/recorded-access.ts'

/** The length at which the formatter of the repository breaks a line. */
const LINE_WIDTH = 120

const head = `import type { File, FunctionAccess } from './function-access.ts'

/**
 * What each function was seen to do with the table, the queues, the vault and the bucket while the tests used the whole
 * service. The roles of the functions derive from it. \`npm run access\` writes this file, so do not edit it: review how
 * it changes.
 */
export const recorded_access: Readonly<Record<File, FunctionAccess>> = {
`

/** The text of the committed file, as the formatter leaves it. */
export function accessFileText(access: AccessTable): string {
  return `${head}${Object.entries(access)
    .map(([file, own]) => entryOf(file, own))
    .join('')}}\n`
}

function entryOf(file: string, access: FunctionAccess): string {
  const lines = access_ways.flatMap((way) => (access[way] ? listOf(way, access[way]) : []))
  return lines.length === 0 ? `  '${file}': {},\n` : `  '${file}': {\n${lines.join('')}  },\n`
}

function listOf(way: string, all: readonly string[]): string {
  const quoted = all.map((one) => `'${one}'`)
  const line = `    ${way}: [${quoted.join(', ')}],`
  return line.length <= LINE_WIDTH
    ? `${line}\n`
    : `    ${way}: [\n${quoted.map((one) => `      ${one},\n`).join('')}    ],\n`
}

/** What would change if `recorded` replaced `committed`: one line for each access that a function would gain or lose. */
export function differencesOf(committed: AccessTable, recorded: AccessTable): string[] {
  const files = [...new Set([...Object.keys(committed), ...Object.keys(recorded)])].sort()
  return files.flatMap((file) => {
    const [before, after] = [usesOf(committed[file]), usesOf(recorded[file])]
    return [
      ...after.filter((use) => !before.includes(use)).map((use) => `${file} would gain: ${use}`),
      ...before.filter((use) => !after.includes(use)).map((use) => `${file} would lose: ${use}`),
    ]
  })
}

const usesOf = (access: FunctionAccess = {}): string[] =>
  access_ways.flatMap((way) => (access[way] ?? []).map((what) => `${way} ${what}`))
