import { expect } from 'vitest'
import { statusOf } from '#shared/http/answers.ts'
import type { Reply } from './api.ts'

/**
 * Holds an answer against the error envelope: exactly its fields, the status of its code, the answer's own request id,
 * or another one where a kept answer is replayed.
 */
export function expectEnvelope(reply: Reply, code?: string): void {
  const { status, headers, body } = reply
  expect(Object.keys(body)).toEqual(['error'])
  const { error } = body
  expect(Object.keys(error)).toEqual(['code', 'message', 'param', 'details', 'request_id'])
  expect({ code: error.code, status }).toEqual({
    code: code ?? error.code,
    status: statusOf[error.code as keyof typeof statusOf],
  })
  expect(error.message).toMatch(/^[^\n]{5,}\.$/)
  expect(error.param === null || typeof error.param === 'string').toBe(true)
  expect(error.details === null || typeof error.details === 'object').toBe(true)
  expect(error.request_id).toMatch(/^[\w-]{8,}$/)
  const replayed = headers.get('idempotent-replayed') === 'true'
  expect(headers.get('x-request-id') === error.request_id).toBe(!replayed)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
}
