import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sample } from '#shared/docs/sample.ts'
import * as samples from '#shared/docs/samples/live.ts'
import { examineApplication } from '#shared/live-application/examine-application.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { runSample } from '#test/fixtures/sample-runner.ts'

describe('the samples of going live', () => {
  let api: Api
  const folder = mkdtempSync(join(tmpdir(), 'papers-'))
  const CERTIFICATE = join(folder, 'certificate.pdf')
  beforeAll(async () => {
    api = await openApi()
    writeFileSync(CERTIFICATE, '%PDF-1.4 a certificate')
  })
  afterAll(async () => {
    await api.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const runner =
    (language: 'shell' | 'typescript', SECRET_KEY: string) =>
    (sample: Sample, env: Readonly<Record<string, string>> = {}) =>
      runSample(sample, language, { base_url: `${api.url}/api/v1`, env: { SECRET_KEY, CERTIFICATE, ...env } })

  test.each(['shell', 'typescript'] as const)('practise an application with a test key, in %s', async (language) => {
    const { test: merchant } = await api.newMerchants()
    const run = runner(language, merchant.secret_key)
    const [FILE] = /fil_\w+/.exec(await run(samples.upload_file))!
    expect(await run(samples.send_site)).toContain('site_information')
    expect(await run(samples.send_company, { FILE })).toContain(FILE)
    expect(await run(samples.send_person, { FILE })).toContain('personal_information')
    expect(await run(samples.send_bank_account)).toContain('1234567')
    expect(await run(samples.send_card_record)).toContain('false')
    expect(await run(samples.show_application)).toMatch(language === 'shell' ? /"requested_fields":\[\]/ : /pending 0 /)
    expect(await run(samples.simulate_rejection)).toContain('The rejection is simulated.')
    expect(await run(samples.correct_record)).toContain('commercial-transactions')
    expect(await run(samples.show_application)).toContain('rejected')
    expect(await run(samples.submit_application)).toMatch(/pending/)
    const simulated = { json: { simulate_status: 'approved' }, key: merchant.secret_key }
    const { body } = await api.request('POST /live_application/submit', simulated)
    expect(body.status).toBe('approved')
  })

  test.each(['shell', 'typescript'] as const)(
    'show the reason of the operator to a live merchant, in %s',
    async (language) => {
      const { live } = await api.newMerchants()
      const run = runner(language, live.secret_key)
      const [FILE] = /fil_\w+/.exec(await run(samples.upload_file))!
      for (const sample of [samples.send_site, samples.send_company, samples.send_person, samples.send_bank_account])
        await run(sample, { FILE })
      await run(samples.submit_application)
      const verdict = { step: 'reject', reason: 'The bank account is in another name.' } as const
      await examineApplication(api.platform, { merchant: live.id, verdict })
      expect(await run(samples.show_application)).toContain(verdict.reason)
      await run(samples.correct_record)
      await run(samples.submit_application)
      await examineApplication(api.platform, { merchant: live.id, verdict: { step: 'approve' } })
      expect(await run(samples.show_application)).toContain('approved')
    },
  )
})
