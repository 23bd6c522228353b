import { expect, test } from 'vitest'
import { FILE_BYTES_MAX } from '#shared/domain/file.ts'
import { MAX_UPLOAD_BYTES } from '#shared/http/upload-limit.ts'

/** What a function can be handed, taken for the smaller of the two things that it may mean. */
const SIX_MEGABYTES = 6_000_000

/** API Gateway takes so many bytes of headers, and hands them over twice. */
const HEADERS_BYTES = 2 * 10_240

/** What else stands in an event: the path, the stage, who calls. */
const EVENT_BYTES = 16_384

test('a file of 4 MB fits into what a function can be handed, as base64 with all that stands around it', () => {
  expect(FILE_BYTES_MAX).toBe(4 * 2 ** 20)
  const body = Math.ceil(MAX_UPLOAD_BYTES / 3) * 4
  expect(body).toBe(5_679_788)
  // A header of quotes grows to twice its length in JSON.
  expect(body + 2 * HEADERS_BYTES + EVENT_BYTES).toBeLessThan(SIX_MEGABYTES)
  const letters = JSON.stringify(Buffer.alloc(1_000, 255).toString('base64')).length
  expect(letters).toBe(Math.ceil(1_000 / 3) * 4 + 2)
})
