import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { statusOf } from '#shared/http/answers.ts'
import { MAX_BODY_BYTES } from '#shared/http/body.ts'
import { common_refusals, commonListsOf } from '#shared/http/common-refusals.ts'
import { MAX_UPLOAD_BYTES } from '#shared/http/upload-limit.ts'
import { servedRoutes } from '#shared/routes.ts'
import { CrashPoints } from '#test/faults/crash-points.ts'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { type RawRequest, rawRequest } from '#test/fixtures/raw-request.ts'

const points = new CrashPoints()
let api: Api
beforeAll(async () => {
  api = await openApi({ around: points.around })
})
afterAll(() => api.close())

/** Sends a request to an endpoint, with a body of any method, and ids that do not exist. */
const send = (row: (typeof rows)[number], { headers, body }: Pick<RawRequest, 'headers' | 'body'>) =>
  rawRequest(api.url, {
    ...{ method: row.method, path: `/api/v1${row.path.replaceAll(/:[a-z]+/g, 'x_1')}`, body },
    headers: { authorization: `Basic ${btoa(`${api.test.secret_key}:`)}`, ...headers },
  })

const rows = servedRoutes()

describe('the common refusals', () => {
  test.each(rows)('$route refuses a body of another media type and one that is too large', async (row) => {
    const type = (type: string) => ({ 'content-type': type })
    const other = await send(row, { headers: type('text/plain'), body: 'x' })
    expect(refusalIn(other)).toEqual({ status: 415, code: 'unsupported_media_type', param: null })
    const bytes = row.file === 'files/create' ? MAX_UPLOAD_BYTES : MAX_BODY_BYTES
    const large = await send(row, { headers: type('multipart/form-data'), body: Buffer.alloc(bytes + 1) })
    expect(refusalIn(large)).toEqual({ status: 413, code: 'payload_too_large', param: null })
    expect(commonListsOf(row.route)).toEqual(expect.arrayContaining(['every_request', 'in_test_mode', 'with_body']))
  })

  test.each(rows)('$route reads the header Idempotency-Key if it says so', async (row) => {
    const file = '--b\r\nContent-Disposition: form-data; name="paper"; filename="a"\r\n\r\nx\r\n--b--\r\n'
    const headers = { 'idempotency-key': 'k'.repeat(256), 'content-type': 'multipart/form-data; boundary=b' }
    const { param } = refusalIn(await send(row, { headers, body: row.file === 'files/create' ? file : undefined }))
    expect(param === 'Idempotency-Key').toBe(commonListsOf(row.route).includes('with_idempotency_key'))
  })

  test.each([
    ['GET', 200],
    ['POST', 409],
    ['PATCH', 409],
    ['DELETE', 409],
  ] as const)('%s under ceaseless concurrent writes is %i', async (method, status) => {
    const json = { url: 'https://shop.example.com/hook', event_list: ['ping'] }
    const { id } = (await api.request('POST /webhooks', { json })).body
    points.arm((_, operation) => (operation === 'write' ? 'conflict' : 'ok'))
    const path = method === 'POST' ? '/webhooks' : `/webhooks/${id}`
    const reply = await api.request(`${method} ${path}`, method === 'GET' ? {} : { json })
    points.disarm()
    expect(reply.status).toBe(status)
    const row = rows.find(({ route }) => route === (method === 'POST' ? 'POST /webhooks' : `${method} /webhooks/:id`))!
    expect(commonListsOf(row.route).includes('writing')).toBe(status === statusOf.conflict)
  })

  test('are error codes, each list in alphabetical order', () => {
    for (const codes of Object.values(common_refusals)) expect(codes).toEqual(codes.toSorted())
  })
})
