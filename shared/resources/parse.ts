import * as v from 'valibot'
import { type ErrorCode, type Fault, Refusal } from '#shared/domain/errors.ts'
import { faults } from './fields.ts'

/** The most faults that a refusal lists. */
const FAULTS_MAX = 100

/** The most values of a request whose faults are all listed. Of a larger request, only the first fault is reported. */
const VALUES_MAX = 5_000

/**
 * Parses a request by its schema. Refuses the first offending parameter and gives its path in form notation;
 * `details.errors` lists the faults of all parameters, at most 100. Neither message nor path repeats the value that was
 * sent, because it can be a card number. The message about a missing parameter also says what it must be.
 */
export function parse<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const options = { abortEarly: valuesOf(input, VALUES_MAX) === 0, message: UNEXPLAINED }
  const result = v.safeParse(schema, input, options)
  if (result.success) return result.output
  const absent = result.issues.filter(isAbsent).slice(0, FAULTS_MAX)
  if (absent.length === 0) throw refusalOf(result.issues, [])
  // The object reports an absent field, without a word about it. Only the field's own schema says what it must be.
  const undefined_fields = absent.reduce((value, { path }) => withUndefined(value, keysOf(path)), input)
  throw refusalOf(result.issues, v.safeParse(schema, undefined_fields, options).issues ?? [])
}

/** The fault of a schema that has no message of its own. */
const UNEXPLAINED = 'is not valid'

type Issue = v.BaseIssue<unknown>

const keysOf = (path: Issue['path']): readonly string[] => (path ?? []).map(({ key }) => String(key))

/** Whether an issue is that of an object about a field that is not there. */
const isAbsent = ({ type, expected, path }: Issue): boolean =>
  type === 'object' && path !== undefined && expected === `"${path.at(-1)?.key}"`

/** A copy of a request in which the field at the path exists and is undefined. */
function withUndefined(input: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return undefined
  if (Array.isArray(input)) return input.map((value, at) => (String(at) === key ? withUndefined(value, rest) : value))
  if (input === null || typeof input !== 'object') return input
  return { ...input, [key]: withUndefined((input as Record<string, unknown>)[key], rest) }
}

/** Counts the values of a request down from `left`, and stops at zero. */
function valuesOf(input: unknown, left: number): number {
  if (left === 0 || input === null || typeof input !== 'object') return Math.max(0, left - 1)
  let rest = left - 1
  for (const value of Object.values(input)) {
    if (rest === 0) return 0
    rest = valuesOf(value, rest)
  }
  return rest
}

function refusalOf(issues: readonly Issue[], explanations: readonly Issue[]): Refusal {
  const errors = new Map<string, Fault>()
  for (const issue of issues) {
    const param = paramOf(issue)
    if (param === undefined) return new Refusal('invalid_parameter', { message: 'The request must be an object.' })
    const explained = isAbsent(issue) ? explanations.find((other) => paramOf(other) === param) : issue
    if (!errors.has(param)) errors.set(param, faultOf(param, issue, explained?.message ?? UNEXPLAINED))
    if (errors.size === FAULTS_MAX) break
  }
  const [first] = [...errors.values()] as [Fault]
  return new Refusal(first.code, { ...first, details: { errors: [...errors.values()] } })
}

/** The path of the offending parameter in form notation; undefined if the fault is that of the whole request. */
function paramOf({ path }: Issue): string | undefined {
  const [first, ...inner] = keysOf(path)
  return first === undefined ? undefined : first + inner.map((key) => `[${key}]`).join('')
}

function faultOf(param: string, { path }: Issue, fault: string): Fault {
  if (path?.at(-1)?.value !== undefined) return { code: codeOf(fault), message: `${param} ${fault}.`, param }
  return { code: 'missing_parameter', message: `${param} ${requirementOf(fault)}.`, param }
}

function requirementOf(fault: string): string {
  if (fault.startsWith('is required')) return fault
  return fault === UNEXPLAINED ? 'is required' : `is required: it ${fault}`
}

function codeOf(fault: string): ErrorCode {
  return (Object.keys(faults) as (keyof typeof faults)[]).find((code) => faults[code] === fault) ?? 'invalid_parameter'
}
