import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openSession, see, submit, typed_card } from '#test/browser/browsing.ts'
import type { Service } from '#test/fixtures/api.ts'
import { openDeployed } from './service.ts'

let service: Service
beforeAll(async () => {
  service = await openDeployed()
})
afterAll(() => service.close())

test('a customer pays by card on the page of a session and returns to the shop', async () => {
  const { id, session_url } = await openSession(service, { default_locale: 'en' })
  expect(session_url.startsWith(inject('url').replace(/api\/v1$/, 'pages/'))).toBe(true)
  const { status, location } = await submit(session_url, typed_card)
  expect(status).toBe(303)
  expect((await see(location!)).continues_to).toContain(`session_id=${id}`)
  const session = (await service.request(`GET /sessions/${id}`)).body
  expect(session).toMatchObject({ status: 'completed', payment: { status: 'captured' } })
})
