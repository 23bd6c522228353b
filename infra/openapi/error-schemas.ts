import { type ErrorCode, error_codes, sentenceOf } from '#shared/domain/errors.ts'
import { ErrorResource, FaultResource } from '#shared/resources/error.ts'
import { errorPage } from '#shared/routes.ts'
import { responseSchema, type Schema } from './json-schema.ts'
import { withReferences } from './references.ts'

/** The id of the request in the examples of errors that are not recorded. */
const REQUEST_ID = '0f9c6b1e-4a1d-4f0e-9d57-2f1b6c3a7e55'

/** The components that describe errors: the error in the body of a response, its faults, and the codes. */
export function errorSchemas(): Record<string, Schema> {
  const { error } = responseSchema(ErrorResource).properties ?? {}
  return withReferences(
    { Error: error! },
    { Fault: responseSchema(FaultResource), ErrorCode: { type: 'string', enum: [...error_codes] } },
  )
}

/** Returns the schema of the body of a response with some codes. */
export const errorBody = (codes: readonly ErrorCode[]): Schema => ({
  type: 'object',
  properties: {
    error: {
      $ref: '#/components/schemas/Error',
      properties: { code: { type: 'string', enum: [...codes] } },
    },
  },
  required: ['error'],
})

/** The body of an error response with the default sentence of its code. */
export const errorExample = (code: ErrorCode, { message = sentenceOf(code), param }: ErrorParts = {}) => ({
  error: {
    code,
    message,
    param: param ?? null,
    details: param ? { errors: [{ code, message, param }] } : null,
    request_id: REQUEST_ID,
    doc_url: `https://api.example.com${errorPage(code)}`,
  },
})

interface ErrorParts {
  readonly message?: string
  readonly param?: string
}
