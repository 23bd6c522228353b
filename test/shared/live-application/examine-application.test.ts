import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applicantOf, examineApplication } from '#shared/live-application/examine-application.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { newApplicant } from '#test/fixtures/applicant.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const approve = (merchant: string, submitted_at?: string) =>
  examineApplication(api.platform, { merchant, verdict: { step: 'approve' }, submitted_at })

const shown = async (key: string) => (await api.request('GET /live_application', { key })).body

const changeSite = (key: string) =>
  api.request('PATCH /site_information', { key, json: { site_url: 'https://other.example.com' } })

/** Runs `act` between the reads and the commit of whatever writes to the table next. */
function beforeNextWrite(act: () => Promise<unknown>): void {
  const { table } = api.platform
  const write = table.write.bind(table)
  table.write = async (...writes) => {
    table.write = write
    await act()
    return write(...writes)
  }
}

const not_submitted = { code: 'unprocessable_entity', message: expect.stringContaining('is not submitted') }

describe('examineApplication', () => {
  test('a change that is committed first wins, and the approval is refused', async () => {
    const { id, secret_key } = await newApplicant(api)
    beforeNextWrite(() => changeSite(secret_key))
    await expect(approve(id)).rejects.toMatchObject(not_submitted)
    expect(await shown(secret_key)).toMatchObject({ status: 'pending', submitted_at: null })
  })

  test('an approval that is committed first is withdrawn by the change', async () => {
    const { id, secret_key } = await newApplicant(api)
    beforeNextWrite(async () => {
      await approve(id)
      expect((await applicantOf(api.platform, id)).application.status).toBe('approved')
    })
    expect((await changeSite(secret_key)).status).toBe(200)
    expect(await shown(secret_key)).toMatchObject({ status: 'pending', submitted_at: null })
  })

  test('a new record makes the application pending, so that the approval is refused', async () => {
    const { id, secret_key } = await newApplicant(api)
    beforeNextWrite(() => api.request('POST /payment_methods/wallet', { key: secret_key, json: {} }))
    await expect(approve(id)).rejects.toMatchObject(not_submitted)
  })

  test('two operators at the same time: the later verdict replaces the earlier one', async () => {
    const { id, secret_key } = await newApplicant(api)
    const verdict = { step: 'reject', reason: 'No imprint.' } as const
    beforeNextWrite(() => examineApplication(api.platform, { merchant: id, verdict }))
    await approve(id)
    expect(await shown(secret_key)).toMatchObject({ status: 'approved', rejection_reason: null })
  })

  test('a repeated approval writes nothing', async () => {
    const { id } = await newApplicant(api)
    await approve(id)
    const { application: before } = await applicantOf(api.platform, id)
    await approve(id)
    expect((await applicantOf(api.platform, id)).application).toEqual(before)
  })

  test('refuses an application that was submitted again since it was shown', async () => {
    const { id, secret_key } = await newApplicant(api)
    const { application } = await applicantOf(api.platform, id)
    await changeSite(secret_key)
    await api.advance(1)
    await api.request('POST /live_application/submit', { key: secret_key, json: {} })
    await expect(approve(id, application.submitted_at!)).rejects.toMatchObject({ code: 'conflict' })
    const { application: again } = await applicantOf(api.platform, id)
    await approve(id, again.submitted_at!)
    expect((await shown(secret_key)).status).toBe('approved')
  })

  test('refuses test merchants and unknown merchants', async () => {
    await expect(approve(api.test.id)).rejects.toMatchObject({ code: 'unprocessable_entity' })
    for (const id of ['mer_none', 'none', `mer_${'0'.repeat(3000)}`])
      await expect(approve(id)).rejects.toMatchObject({ code: 'not_found', message: `There is no merchant ${id}.` })
  })
})
