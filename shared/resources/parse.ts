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
 * sent, because it can be a card number.
 */
export function parse<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const abortEarly = valuesOf(input, VALUES_MAX) === 0
  const result = v.safeParse(schema, input, { abortEarly, message: 'is not valid' })
  if (result.success) return result.output
  throw refusalOf(result.issues)
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

function refusalOf(issues: readonly v.BaseIssue<unknown>[]): Refusal {
  const errors = new Map<string, Fault>()
  for (const issue of issues) {
    const fault = faultOf(issue)
    if (!fault) return new Refusal('invalid_parameter', { message: 'The request must be an object.' })
    if (!errors.has(fault.param)) errors.set(fault.param, fault)
    if (errors.size === FAULTS_MAX) break
  }
  const [first] = [...errors.values()] as [Fault]
  return new Refusal(first.code, { ...first, details: { errors: [...errors.values()] } })
}

function faultOf(issue: v.BaseIssue<unknown>): Fault | undefined {
  const [first, ...inner] = issue.path ?? []
  if (!first) return undefined
  const param = `${first.key}${inner.map(({ key }) => `[${key}]`).join('')}`
  if (issue.path?.at(-1)?.value !== undefined)
    return { code: codeOf(issue.message), message: `${param} ${issue.message}.`, param }
  const required = issue.message.startsWith('is required') ? issue.message : 'is required'
  return { code: 'missing_parameter', message: `${param} ${required}.`, param }
}

function codeOf(fault: string): ErrorCode {
  return (Object.keys(faults) as (keyof typeof faults)[]).find((code) => faults[code] === fault) ?? 'invalid_parameter'
}
