import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type PropertyName, propertyNames, propertyOf, type StageProperties } from './stage-properties.ts'

/**
 * The folder with the definition of each stage (`<stage>.json`) and the record of what the stage has
 * (`<stage>.lock.json`).
 */
const STAGES_FOLDER = join(import.meta.dirname, 'stages')

/** The values in a file, by the name of the property. A file may also have names that are not properties. */
type Values = Readonly<Partial<Record<PropertyName, unknown>>>

/**
 * `propertiesOf` reads the properties of a stage from its definition. Throws for a definition that omits a property,
 * states an invalid value, removes a recorded property, or states a value that is not recorded yet. The message names
 * the property and says what to write.
 */
export function propertiesOf(stage: string, folder = STAGES_FOLDER): StageProperties {
  const recorded = checkedValues(lockOf(stage), folder)
  const stated = checkedValues(definitionOf(stage), folder, { stage, recorded })
  refuseRemovals(stage, { recorded, stated })
  const unrecorded = propertyNames.find((name) => !isDeepStrictEqual(stated[name], recorded[name]))
  if (unrecorded !== undefined)
    throw new Error(
      `${shown(lockOf(stage))} does not record the value of "${unrecorded}" in ${shown(definitionOf(stage))}. Run: ${command('record-properties', stage)}, and commit both files.`,
    )
  return stated as StageProperties
}

/**
 * `recordProperties` copies what the definition of a stage states to the record, and formats both files. Throws for a
 * definition that is invalid or removes what the record holds.
 */
export function recordProperties(stage: string, folder = STAGES_FOLDER): void {
  const recorded = checkedValues(lockOf(stage), folder)
  const stated = checkedValues(definitionOf(stage), folder, { stage, recorded })
  refuseRemovals(stage, { recorded, stated })
  for (const file of [definitionOf(stage), lockOf(stage)]) write(join(folder, file), stated)
}

/**
 * `removeProperty` removes a property from the definition and the record of a stage, and returns the value that the
 * stage had. If fixed addresses are on, the call only switches them off. Throws when the stage does not have the
 * property.
 */
export function removeProperty(stage: string, name: PropertyName, folder = STAGES_FOLDER): unknown {
  const recorded = checkedValues(lockOf(stage), folder)
  const value = recorded[name]
  if (value === 'none') throw new Error(`${stage} has no "${name}".`)
  const removed = { [name]: propertyOf(name).removed(value) }
  write(join(folder, definitionOf(stage)), { ...valuesIn(definitionOf(stage), folder), ...removed })
  write(join(folder, lockOf(stage)), { ...recorded, ...removed })
  return value
}

/** The path of a stage's definition, as messages show it. */
export const definitionPath = (stage: string): string => shown(definitionOf(stage))

const definitionOf = (stage: string): string => `${stage}.json`
const lockOf = (stage: string): string => `${stage}.lock.json`
const shown = (file: string): string => `infra/stages/${file}`
const command = (verb: string, stage: string): string => `npm run operate -- ${verb} --stage ${stage}`

function refuseRemovals(stage: string, { recorded, stated }: { recorded: Values; stated: Values }): void {
  const lost = propertyNames.find((name) => {
    const [had, has] = [recorded[name], stated[name]]
    return had !== 'none' && (has === 'none' || !propertyOf(name).keeps(had, has))
  })
  if (lost !== undefined)
    throw new Error(
      `${shown(definitionOf(stage))} removes "${lost}", which ${stage} has. ${writeBackOrRemove(stage, lost, recorded)}`,
    )
}

function writeBackOrRemove(stage: string, name: PropertyName, recorded: Values): string {
  return `Write "${name}": ${JSON.stringify(recorded[name])}, or remove it with: ${command(`remove-property ${name}`, stage)}`
}

/**
 * Reads the values in a file. Throws for a property that is not stated or not valid. `record` holds what the stage has,
 * which the message repeats.
 */
function checkedValues(file: string, folder: string, record?: { stage: string; recorded: Values }): Values {
  const values = valuesIn(file, folder)
  for (const name of propertyNames) {
    const { takes, example, valid } = propertyOf(name)
    const value = values[name]
    const possible = `"none", or a value such as ${JSON.stringify(example)} (${takes})`
    if (value === undefined) {
      const had = record !== undefined && record.recorded[name] !== 'none'
      const advice = had ? writeBackOrRemove(record.stage, name, record.recorded) : `Write "${name}": ${possible}.`
      throw new Error(`${shown(file)} does not state "${name}". ${advice}`)
    }
    if (value !== 'none' && !valid(value))
      throw new Error(`"${name}" in ${shown(file)} must be ${possible}. It is ${JSON.stringify(value)}.`)
  }
  // An earlier version of the service can be deployed with today's definition, unless the stage has a property that the
  // earlier version does not know.
  const [unknown] = Object.entries(values).find(([name, value]) => !isPropertyName(name) && value !== 'none') ?? []
  if (unknown !== undefined)
    throw new Error(
      `${shown(file)} states "${unknown}", which this version does not know. The properties are ${propertyNames.join(', ')}.`,
    )
  return values
}

/** Whether a word is the name of a property. */
export const isPropertyName = (word: string): word is PropertyName =>
  (propertyNames as readonly string[]).includes(word)

function valuesIn(file: string, folder: string): Values {
  let text: string
  try {
    text = readFileSync(join(folder, file), 'utf8')
  } catch {
    throw new Error(
      `${shown(file)} cannot be read. It states every property of its stage: ${propertyNames.join(', ')}.`,
    )
  }
  try {
    const values: unknown = JSON.parse(text)
    if (typeof values === 'object' && values !== null && !Array.isArray(values)) return values as Values
  } catch {}
  throw new Error(`${shown(file)} is not a JSON object.`)
}

function write(path: string, values: Values): void {
  writeFileSync(path, `${JSON.stringify(values, null, 2)}\n`)
}
