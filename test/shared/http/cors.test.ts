import { describe, expect, test } from 'vitest'
import { corsHeaders } from '#shared/http/cors.ts'

describe('corsHeaders', () => {
  test('lets any page read the responses of a route for browsers, with the headers that it needs', () => {
    expect(corsHeaders('POST /tokens')).toEqual({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'X-Request-Id, Idempotent-Replayed, Retry-After, X-Service-Ignored-Parameters',
    })
  })

  test('returns no headers for a route that is not for browsers', () => {
    expect(corsHeaders('POST /payments')).toEqual({})
  })
})
