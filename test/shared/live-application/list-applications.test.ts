import { expect, test } from 'vitest'
import { listApplications } from '#shared/live-application/list-applications.ts'
import { applications } from '#shared/store/applications.ts'
import { changed } from '#shared/store/change.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { openApi } from '#test/fixtures/api.ts'

test('listApplications reads the merchants of more than 100 applications, and sorts by submission', async () => {
  const api = await openApi()
  const { live } = await api.newMerchants()
  for (let second = 0; second < 101; second++) {
    const { test: other } = await api.newMerchants()
    const work = new UnitOfWork({ platform: api.platform, merchant: other.id, mode: 'test' })
    await work.commit([changed(applications, { version: 0, status: 'pending', submitted_at: '2030-01-01T00:00:00Z' })])
  }
  const second = (await api.newMerchants()).live
  for (const [merchant, submitted_at] of [
    [live.id, '2030-01-02T00:00:00Z'],
    [second.id, '2030-01-01T00:00:00Z'],
  ] as const) {
    const work = new UnitOfWork({ platform: api.platform, merchant, mode: 'live' })
    await work.commit([changed(applications, { version: 0, status: 'pending', submitted_at })])
  }
  const listed = await listApplications(api.platform, 'submitted')
  const none = await listApplications(api.platform, 'rejected')
  await api.close()
  expect(listed.map(({ merchant }) => merchant.id)).toEqual([second.id, live.id])
  expect(none).toEqual([])
})
