import type { Application, ApplicationRecord, ApplicationStatus } from '#shared/domain/application.ts'
import { type ApplicationChange, submit } from '#shared/domain/application-states.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { onboarding_records, type RecordName } from '#shared/resources/onboarding-records.ts'
import { applicationRecords, applications } from '#shared/store/applications.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { applicationKey } from '#shared/store/keys.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { missingFields } from './requirements.ts'

/** A merchant's application with its records, and the names of the fields that are still missing. */
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
 * Submits the application for examination. Refuses an incomplete application with `missing_parameter`; the
 * `errors` in its `details` name every missing field. In test mode, `simulate_status` sets the result of the examination at once. Refuses
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
  const change = submit(application, { records: before, missing: requested_fields }, simulate_status, work.now())
  return {
    changes: changesOf(application, change),
    answer: { ...change.next, requested_fields, records: change.records },
  }
}

/** Returns the changes to commit after a submission or an examination; none if the application is the same. */
export const changesOf = (before: Application, { next, records }: ApplicationChange): readonly Change[] =>
  next === before ? [] : [changed(applications, next), ...records.map((record) => changed(applicationRecords, record))]
