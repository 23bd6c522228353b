import { describe, expect, test } from 'vitest'
import { examineApplication } from '#shared/live-application/examine-application.ts'
import type { Service } from '#test/fixtures/api.ts'
import { submitApplication } from '#test/fixtures/applicant.ts'

/** Journeys of merchants who apply for live payments, and of the operator who examines their applications. */
export function applicationJourneys(service: () => Service): void {
  describe('applications', () => {
    test('an application is completed, rejected, corrected, submitted again and approved', async () => {
      const { id: merchant, secret_key: key } = (await service().newMerchants()).live
      const request: Service['request'] = (route, options) => service().request(route, { key, ...options })
      const show = async () => (await request('GET /live_application')).body
      const submit = () => request('POST /live_application/submit', { json: {} })

      const { requested_fields } = await show()
      const too_early = await submit()
      expect([too_early.status, too_early.body.error.code]).toEqual([422, 'missing_parameter'])
      expect(too_early.body.error.details.errors.map((fault: { param: string }) => fault.param)).toEqual(
        requested_fields,
      )
      expect((await submitApplication(service(), key)).body).toMatchObject({ status: 'pending', requested_fields: [] })

      const { platform } = service()
      const reason = 'The bank account is not in the name of the company.'
      await examineApplication(platform, { merchant, verdict: { step: 'reject', reason } })
      expect(await show()).toMatchObject({ status: 'rejected', rejection_reason: reason })
      const json = { zengin_account_number: '7654321' }
      await request('PATCH /live_application/bank_account_information', { json })
      expect((await submit()).body).toMatchObject({ status: 'pending', rejection_reason: null })

      await examineApplication(platform, { merchant, verdict: { step: 'approve' } })
      expect(await show()).toMatchObject({ status: 'approved', rejection_reason: null })
      expect((await request('GET /bank_account_information')).body).toMatchObject({ status: 'approved', ...json })
    })
  })
}
