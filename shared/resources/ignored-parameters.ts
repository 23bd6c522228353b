import * as v from 'valibot'

/** The parts of a schema that say which parameters it reads. Each kind of schema has some of them. */
interface Reads {
  readonly kind: string
  readonly type: string
  readonly pipe?: readonly Reads[]
  readonly entries?: Readonly<Record<string, Reads>>
  readonly wrapped?: Reads
  readonly item?: Reads
  readonly options?: readonly Reads[]
  readonly key?: string
  readonly getter?: (input: unknown) => Reads
}

type Path = readonly string[]

/**
 * Yields the paths of the parameters in `input` that `schema` does not read, in the order in which they were sent. A
 * parameter below an ignored one is not named again. Without a schema, every parameter is ignored.
 */
export function ignoredParameters(schema: v.GenericSchema | undefined, input: unknown): Iterable<Path> {
  return ignoredBy((schema ?? v.object({})) as unknown as Reads, input, [])
}

function* ignoredBy(schema: Reads, input: unknown, path: Path): Iterable<Path> {
  if (typeof input !== 'object' || input === null) return
  const { type, pipe, entries, wrapped, item } = schema
  if (pipe) for (const step of pipe) yield* step.kind === 'schema' ? ignoredBy(step, input, path) : []
  else if (type === 'lazy') yield* ignoredBy(schema.getter!(input), input, path)
  else if (type === 'variant') yield* ignoredByVariant(schema, input as Record<string, unknown>, path)
  else if (wrapped) yield* ignoredBy(wrapped, input, path)
  else if (item && Array.isArray(input))
    for (const [index, value] of input.entries()) yield* ignoredBy(item, value, [...path, String(index)])
  else if (entries && !Array.isArray(input))
    for (const [name, value] of Object.entries(input)) {
      if (Object.hasOwn(entries, name)) yield* ignoredBy(entries[name]!, value, [...path, name])
      else yield [...path, name]
    }
}

/** The fields of the option that the input chooses; of no option if the input chooses none. */
function ignoredByVariant({ options = [], key = '' }: Reads, input: Record<string, unknown>, path: Path) {
  const chosen = options.find((option) => {
    const choice = option.entries?.[key] as unknown as v.GenericSchema | undefined
    return choice && v.is(choice, input[key])
  })
  return chosen ? ignoredBy(chosen, input, path) : []
}
