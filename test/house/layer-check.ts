import { posix } from 'node:path'

/** A row of the layer table. A row that ends in `/` is a folder; the longest row that a path begins with is its own. */
export interface Layer {
  /** The rows, or single files of them, that its files may import besides each other. A `type` before one: its types alone. */
  readonly may_import: readonly string[]
  /** The packages, and those modules of Node's that are not for everybody. */
  readonly vendors?: readonly string[]
  /** Whether a file may import what only the run decides: `import(path)`. */
  readonly by_path?: true
  /** Whether it neither reaches out (Node's modules among it) nor asks for the time or for chance. */
  readonly pure?: true
}

export type Layers = Readonly<Record<string, Layer>>

/** What a file does that its row of the table does not allow, one sentence each. */
export function complaintsAbout(file: string, text: string, layers: Layers): string[] {
  const row = rowOf(file, layers)
  if (!row) return [`${file} is in no layer`]
  const layer = layers[row]!
  const imports = importsOf(text).filter((line) => !allows(layer, row, file, line, layers))
  return [
    ...imports.map(({ from, typeOnly }) => `${file} must not import ${typeOnly ? 'even a type of ' : ''}${from}`),
    ...(layer.pure ? impurities(text).map((what) => `${file} must not use ${what}`) : []),
  ]
}

function allows(layer: Layer, row: string, file: string, { from, typeOnly }: Import, layers: Layers): boolean {
  if (from === COMPUTED) return layer.by_path === true
  const target = targetOf(file, from)
  if (target === null) return layer.vendors?.includes(vendorOf(from)) || (isOpenToAll(from, layers) && !layer.pure)
  const targetRow = rowOf(target, layers)
  if (targetRow === undefined) return false
  const names = [targetRow, target]
  return (
    targetRow === row ||
    names.some((name) => layer.may_import.includes(name) || (typeOnly && layer.may_import.includes(`type ${name}`)))
  )
}

/** The row of the table that a path belongs to: the longest one that it begins with. */
export function rowOf(path: string, layers: Layers): string | undefined {
  return Object.keys(layers)
    .filter((row) => (row.endsWith('/') ? path.startsWith(row) : path === row))
    .sort((a, b) => b.length - a.length)[0]
}

/** The path from the top that an import leads to; null where it leads out of the house. */
function targetOf(file: string, from: string): string | null {
  if (from.startsWith('#')) return from.slice(1)
  return from.startsWith('.') ? posix.join(posix.dirname(file), from) : null
}

/** The import cycles among files, type imports included: one line for each, such as `a.ts > b.ts > a.ts`. */
export function cyclesIn(files: readonly string[], textOf: (file: string) => string): string[] {
  const known = new Set(files)
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): string[] => {
    const at = path.indexOf(file)
    if (at >= 0) return [[...path.slice(at), file].join(' > ')]
    if (done.has(file)) return []
    const targets = importsOf(textOf(file)).map(({ from }) => (from === COMPUTED ? null : targetOf(file, from)))
    const found = targets.flatMap((target) => (target && known.has(target) ? visit(target, [...path, file]) : []))
    done.add(file)
    return found
  }
  return files.flatMap((file) => visit(file, []))
}

/** `@aws-sdk` for any of its packages, `aws-cdk-lib` for any of its parts. */
const vendorOf = (from: string): string => from.split('/')[0]!

/** One of Node's own modules that no row keeps for itself. */
const isOpenToAll = (from: string, layers: Layers): boolean =>
  from.startsWith('node:') && !Object.values(layers).some((layer) => layer.vendors?.includes(from))

/** What an import line brings in, as it is written there. */
export interface Import {
  readonly from: string
  /** Whether nothing of it is left once the types are gone. */
  readonly typeOnly: boolean
}

/** The `from` of an import whose target only the run decides. */
export const COMPUTED = 'what only the run decides'

const statement =
  /^\s*(?:import|export)\b(\s+type\b(?!\s*,|\s+from\b))?[\w$*,\s]*(?:\{[^}]*\}\s*)?\bfrom\s*(['"])(.+?)\2/gm
const effect = /^\s*import\s*(['"])(.+?)\1/gm
const call = /\b(?:import|require|require\.resolve)\(\s*(?:(['"])([^'"]+)\1\s*\)|(?=[^\s)]))/g

/** All that a text imports: statements, `export … from`, `import()` and `require()`. */
export function importsOf(text: string): Import[] {
  return [
    ...Array.from(text.matchAll(statement), ([, type, , from]) => ({ from: from!, typeOnly: type !== undefined })),
    ...Array.from(text.matchAll(effect), ([, , from]) => ({ from: from!, typeOnly: false })),
    ...Array.from(text.matchAll(call), ([, , from]) => ({ from: from ?? COMPUTED, typeOnly: false })),
  ]
}

const impure =
  /\bDate\.now\b|\b(?:new )?Date\(\s*\)|\bnew Date\b(?!\()|\bMath\.random\b|\bperformance\.|\bcrypto\.|\bprocess\.|\bglobalThis\b|\bconsole\.|\bfetch\(|\bset(?:Timeout|Interval|Immediate)\(/g

const impurities = (text: string): string[] => Array.from(text.matchAll(impure), ([what]) => what)
