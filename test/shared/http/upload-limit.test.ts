import { expect, test } from 'vitest'
import { FILE_BYTES_MAX } from '#shared/domain/file.ts'
import { MAX_UPLOAD_BYTES } from '#shared/http/upload-limit.ts'

/** The invocation payload of a function: 6 MB, taken as the smaller of its two meanings. */
const SIX_MEGABYTES = 6_000_000

/** API Gateway accepts this many bytes of headers, and passes them twice. */
const HEADERS_BYTES = 2 * 10_240

/** The rest of an event: the path, the stage, the caller. */
const EVENT_BYTES = 16_384

test('a file of 4 MB fits into the payload of a function, as base64 with the rest of the event', () => {
  expect(FILE_BYTES_MAX).toBe(4 * 2 ** 20)
  const body = Math.ceil(MAX_UPLOAD_BYTES / 3) * 4
  expect(body).toBe(5_679_788)
  // A header that consists of quotes doubles its length in JSON.
  expect(body + 2 * HEADERS_BYTES + EVENT_BYTES).toBeLessThan(SIX_MEGABYTES)
  const letters = JSON.stringify(Buffer.alloc(1_000, 255).toString('base64')).length
  expect(letters).toBe(Math.ceil(1_000 / 3) * 4 + 2)
})
