import * as v from 'valibot'
import { type ErrorCode, Refusal } from '#shared/domain/errors.ts'
import { faults } from './fields.ts'

/**
 * Parses a request by its schema. Refuses the first offending parameter and gives its path in form notation. Neither
 * message nor path repeats the value that was sent, because it can be a card number.
 */
export function parse<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input, { abortEarly: true, message: 'is not valid' })
  if (result.success) return result.output
  throw refusalOf(result.issues[0])
}

function refusalOf(issue: v.BaseIssue<unknown>): Refusal {
  const [first, ...inner] = issue.path ?? []
  if (!first) return new Refusal('invalid_parameter', { message: 'The request must be an object.' })
  const param = `${first.key}${inner.map(({ key }) => `[${key}]`).join('')}`
  if (issue.path?.at(-1)?.value === undefined)
    return new Refusal('missing_parameter', { param, message: `${param} is required.` })
  return new Refusal(codeOf(issue.message), { param, message: `${param} ${issue.message}.` })
}

function codeOf(fault: string): ErrorCode {
  return (Object.keys(faults) as (keyof typeof faults)[]).find((code) => faults[code] === fault) ?? 'invalid_parameter'
}
