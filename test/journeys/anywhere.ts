import { afterAll, beforeAll, describe } from 'vitest'
import type { Service } from '#test/fixtures/api.ts'
import { applicationJourneys } from './cases/applications.ts'
import { customerJourneys } from './cases/customers.ts'
import { fileJourneys } from './cases/files.ts'
import { keyJourneys } from './cases/keys.ts'
import { listJourneys } from './cases/lists.ts'
import { mistakeJourneys } from './cases/mistakes.ts'
import { paymentJourneys } from './cases/payments.ts'
import { retryJourneys } from './cases/retries.ts'
import { sessionJourneys } from './cases/sessions.ts'
import { webhookJourneys } from './cases/webhooks.ts'

/** Journeys of a merchant on any platform. The journeys do not advance the clock. `open` is called once. */
export function journeysAnywhere(platform: string, open: () => Promise<Service>): void {
  describe(platform, () => {
    let service: Service
    beforeAll(async () => {
      service = await open()
    })
    afterAll(() => service.close())
    for (const journeys of [
      keyJourneys,
      mistakeJourneys,
      paymentJourneys,
      customerJourneys,
      listJourneys,
      retryJourneys,
      sessionJourneys,
      webhookJourneys,
      fileJourneys,
      applicationJourneys,
    ])
      journeys(() => service)
  })
}
