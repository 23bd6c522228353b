import { type Application, type ApplicationRecord, type ApplicationStatus, submit } from '#shared/domain/application.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { onboarding_records, type RecordName } from '#shared/resources/onboarding-records.ts'
import { applicationRecords, applications } from '#shared/store/applications.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { applicationKey } from '#shared/store/keys.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { missingFields } from './requirements.ts'

/** A merchant's application with the names of its missing fields and its records. */
export interface StandingApplication extends Application {
  readonly requested_fields: readonly string[]
  readonly records: readonly ApplicationRecord[]
}

/** Returns the merchant's application. Before any record is sent, the application is `pending` and has no records. */
export async function applicationOf(work: UnitOfWork): Promise<StandingApplication> {
  const names = Object.keys(onboarding_records) as RecordName[]
  const [application, ...found] = await Promise.all([
    work.at(applications, applicationKey(work.merchant, 'live_application')),
    ...names.map((name) => work.at(applicationRecords, applicationKey(work.merchant, name))),
  ])
  const records = found.filter((record) => record !== undefined)
  const requested_fields = missingFields((name) => records.find((record) => record.name === name)?.fields ?? {})
  return { ...(application ?? { version: 0, status: 'pending', submitted_at: null }), requested_fields, records }
}

/**
 * Submits the application for examination. Refuses an incomplete application with `missing_parameter`; its `details`
 * name every missing field. In test mode, `simulate_status` sets the result of the examination at once. Refuses
 * `simulate_status` in live mode with `invalid_parameter`.
 */
export async function submitApplication(
  work: UnitOfWork,
  simulate_status: ApplicationStatus | undefined,
): Promise<{ changes: readonly Change[]; answer: StandingApplication }> {
  if (simulate_status && work.mode === 'live')
    throw new Refusal('invalid_parameter', {
      param: 'simulate_status',
      message: 'An examination can be simulated in test mode only. Leave simulate_status out with a live key.',
    })
  const { requested_fields, records: before, ...application } = await applicationOf(work)
  const examined = { records: before, missing: requested_fields }
  const { next, records } = submit(application, examined, simulate_status ?? 'pending', work.now())
  return {
    changes: [changed(applications, next), ...records.map((record) => changed(applicationRecords, record))],
    answer: { ...next, requested_fields, records },
  }
}
