import { type ErrorCode, sentenceOf } from '#shared/domain/errors.ts'
import { statusOf } from '#shared/http/answers.ts'
import { errorPage } from '#shared/routes.ts'
import type { Schema } from './json-schema.ts'

/** All error codes, in the order of their statuses. */
export const error_codes = Object.keys(statusOf) as readonly ErrorCode[]

/** The id of the request in the examples of errors that are not recorded. */
const REQUEST_ID = '0f9c6b1e-4a1d-4f0e-9d57-2f1b6c3a7e55'

/** The components that describe the body of every error response. */
export const errorSchemas = (): Record<string, Schema> => ({ Error: error, Fault: fault, ErrorCode: error_code })

const error_code: Schema = {
  type: 'string',
  enum: [...error_codes],
  description: 'The code of an error. It never changes its meaning, so a program can decide by it.',
}

const fault: Schema = {
  type: 'object',
  description: 'One fault of a request.',
  properties: {
    code: { $ref: '#/components/schemas/ErrorCode' },
    message: { type: 'string', description: 'A sentence that explains the fault.' },
    param: {
      type: 'string',
      description: 'The path of the parameter in the notation of forms: `payment_details[number]`.',
    },
  },
  required: ['code', 'message', 'param'],
  additionalProperties: false,
}

const faults: Schema = {
  type: 'array',
  items: { $ref: '#/components/schemas/Fault' },
  description: 'All faults of the request, at most 100.',
}

const payment: Schema = {
  type: 'string',
  description: 'The id of the payment that was declined, or whose outcome is unknown.',
}

const missing_fields: Schema = {
  type: 'object',
  additionalProperties: { type: 'string', const: 'is required' },
  description: 'The fields that an application still lacks, by their names: `site_information[site_url]`.',
}

const detailsWith = (name: string, schema: Schema): Schema => ({
  type: 'object',
  properties: { [name]: schema },
  required: [name],
  additionalProperties: false,
})

const error: Schema = {
  type: 'object',
  description: 'An error. Every error response contains one.',
  properties: {
    code: { $ref: '#/components/schemas/ErrorCode' },
    message: { type: 'string', description: 'A sentence that explains the error to a developer.' },
    param: {
      type: ['string', 'null'],
      description:
        'The path of the first offending parameter, or the name of the offending header. Null if there is none.',
    },
    details: {
      anyOf: [detailsWith('errors', faults), detailsWith('payment', payment), missing_fields, { type: 'null' }],
      description:
        'The faults of the parameters, the payment that the error is about, or the missing fields of an application.',
    },
    request_id: { type: 'string', description: 'The id of the request, as in the header `X-Request-Id`.' },
    doc_url: { type: 'string', format: 'uri', description: 'The address of the documentation of the code.' },
  },
  required: ['code', 'message', 'param', 'details', 'request_id', 'doc_url'],
  additionalProperties: false,
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
  additionalProperties: false,
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
