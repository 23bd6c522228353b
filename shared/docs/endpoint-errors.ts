import type { ErrorCode } from '#shared/domain/errors.ts'
import { type Body, type Content, examplesOf, resolved, type Schema } from './api-description.ts'
import { type DescribedEndpoint, resources } from './resources.ts'

let common_codes: readonly ErrorCode[] | undefined

/** Returns the error codes that every endpoint can respond with. */
export function commonCodes(): readonly ErrorCode[] {
  const sets = () => resources().flatMap(({ endpoints }) => endpoints.map(refusedCodes))
  common_codes ??= sets().reduce((common, codes) => common.filter((code) => codes.includes(code)))
  return common_codes
}

/** Returns the error codes that the examples and schemas of an endpoint's other responses name. */
export function refusedCodes({ operation }: DescribedEndpoint): ErrorCode[] {
  const found = Object.entries(operation.responses ?? {})
    .filter(([status]) => /^[45]/.test(status))
    .flatMap(([, body]) => Object.entries(resolved<Body>(body).content ?? {}))
    .flatMap(([, content]) => [...codesInExamples(content), ...codesInSchema(content.schema)])
  return [...new Set(found)] as ErrorCode[]
}

const codesInExamples = (content: Content): string[] =>
  examplesOf(content).flatMap((value) => (value as { error?: { code?: string } } | undefined)?.error?.code ?? [])

function codesInSchema(schema: Schema | undefined): string[] {
  if (!schema) return []
  const error = resolved<Schema>(schema).properties?.error
  // A schema beside a reference narrows what it refers to.
  const code = error?.properties?.code ?? (error && resolved<Schema>(error).properties?.code)
  return code?.$ref ? [] : [...(code?.enum ?? []), ...(code?.const === undefined ? [] : [code.const])].map(String)
}
