import { posix } from 'node:path'

/**
 * A row of the layer table. A row that ends in `/` is a folder. A file belongs to the longest row that its path begins
 * with.
 */
export interface Layer {
  /**
   * The rows or single files that the files of this row may import besides each other. The prefix `type` allows types
   * only.
   */
  readonly may_import: readonly string[]
  /** The packages that it may import, and the modules of Node that only some rows may import. */
  readonly vendors?: readonly string[]
  /**
   * The packages that it may import lazily, and the folder of the files that may. These files use `import()` for the code
   * of the package, so that the package is not loaded with them. They may also import types.
   */
  readonly lazy_vendors?: Readonly<Record<string, string>>
  /** Whether a file may use `import(path)`, whose target is known only at run time. */
  readonly by_path?: true
  /** Whether its files are free of Node's modules, I/O, clocks and randomness. */
  readonly pure?: true
}

export type Layers = Readonly<Record<string, Layer>>

/** The violations of the layer table by a file, one sentence each. */
export function violationsOf(file: string, text: string, layers: Layers): string[] {
  const row = rowOf(file, layers)
  if (!row) return [`${file} is in no layer`]
  const layer = layers[row]!
  const imports = importsOf(text).filter((line) => !allows(layer, row, file, line, layers))
  return [
    ...imports.map(({ from, typeOnly }) => `${file} must not import ${typeOnly ? 'even a type of ' : ''}${from}`),
    ...(layer.pure ? impurities(text).map((what) => `${file} must not use ${what}`) : []),
  ]
}

function allows(layer: Layer, row: string, file: string, line: Import, layers: Layers): boolean {
  const { from, typeOnly } = line
  if (from === COMPUTED) return layer.by_path === true
  const target = targetOf(file, from)
  if (target === null && allowsLazily(layer, file, line)) return true
  if (target === null) return layer.vendors?.includes(vendorOf(from)) || (isOpenToAll(from, layers) && !layer.pure)
  const targetRow = rowOf(target, layers)
  if (targetRow === undefined) return false
  const names = [targetRow, target]
  return (
    targetRow === row ||
    names.some((name) => layer.may_import.includes(name) || (typeOnly && layer.may_import.includes(`type ${name}`)))
  )
}

function allowsLazily({ lazy_vendors = {} }: Layer, file: string, { from, typeOnly, lazy }: Import): boolean {
  const folder = lazy_vendors[vendorOf(from)]
  return folder !== undefined && file.startsWith(folder) && (typeOnly || lazy)
}

/** The row of the table that a path belongs to: the longest row that it begins with. */
export function rowOf(path: string, layers: Layers): string | undefined {
  return Object.keys(layers)
    .filter((row) => (row.endsWith('/') ? path.startsWith(row) : path === row))
    .sort((a, b) => b.length - a.length)[0]
}

/** The path of an imported file relative to the top folder, or null if the import leads out of the repository. */
function targetOf(file: string, from: string): string | null {
  if (from.startsWith('#')) return from.slice(1)
  return from.startsWith('.') ? posix.join(posix.dirname(file), from) : null
}

/** The import cycles among files, including type imports, one line each, such as `a.ts > b.ts > a.ts`. */
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

/** The vendor of an import: `@aws-sdk` for any of its packages, `aws-cdk-lib` for any of its parts. */
const vendorOf = (from: string): string => from.split('/')[0]!

/** Whether an import is a module of Node that no row reserves. */
const isOpenToAll = (from: string, layers: Layers): boolean =>
  from.startsWith('node:') && !Object.values(layers).some((layer) => layer.vendors?.includes(from))

/** An import as the text states it. */
export interface Import {
  readonly from: string
  /** Whether it imports only types. */
  readonly typeOnly: boolean
  /** Whether it is an `import()`, which loads its target only when it runs. */
  readonly lazy: boolean
}

/** The `from` of an import whose target is known only at run time. */
export const COMPUTED = 'a target that is known only at run time'

const statement =
  /^\s*(?:import|export)\b(\s+type\b(?!\s*,|\s+from\b))?[\w$*,\s]*(?:\{[^}]*\}\s*)?\bfrom\s*(['"])(.+?)\2/gm
const effect = /^\s*import\s*(['"])(.+?)\1/gm
const call = /\b(import|require|require\.resolve)\(\s*(?:(['"])([^'"]+)\2\s*\)|(?=[^\s)]))/g

/** The imports of a text: import statements, `export … from`, `import()` and `require()`. */
export function importsOf(text: string): Import[] {
  return [
    ...Array.from(text.matchAll(statement), ([, type, , from]) => ({
      from: from!,
      typeOnly: type !== undefined,
      lazy: false,
    })),
    ...Array.from(text.matchAll(effect), ([, , from]) => ({ from: from!, typeOnly: false, lazy: false })),
    ...Array.from(text.matchAll(call), ([, name, , from]) => ({
      from: from ?? COMPUTED,
      typeOnly: false,
      lazy: name === 'import',
    })),
  ]
}

const impure =
  /\bDate\.now\b|\b(?:new )?Date\(\s*\)|\bnew Date\b(?!\()|\bMath\.random\b|\bperformance\.|\bcrypto\.|\bprocess\.|\bglobalThis\b|\bconsole\.|\bfetch\(|\bset(?:Timeout|Interval|Immediate)\(/g

const impurities = (text: string): string[] => Array.from(text.matchAll(impure), ([what]) => what)
