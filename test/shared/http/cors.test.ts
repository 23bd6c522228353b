import { describe, expect, test } from 'vitest'
import { corsHeaders } from '#shared/http/cors.ts'

describe('corsHeaders', () => {
  test('let any page read the answers of a route for browsers, with the headers that matter to it', () => {
    expect(corsHeaders('POST /tokens')).toEqual({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'X-Request-Id, Idempotent-Replayed, Retry-After',
    })
  })

  test('are none on a route that is not for browsers', () => {
    expect(corsHeaders('POST /payments')).toEqual({})
  })
})
