import type { Application, ApplicationRecord, ApplicationStatus } from '#shared/domain/application.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { onboarding_records, type RecordName } from '#shared/resources/onboarding-records.ts'
import { applicationRecords, applications } from '#shared/store/applications.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { applicationKey } from '#shared/store/keys.ts'
import type { Work } from '#shared/store/work.ts'
import { missingFields } from './requirements.ts'

/** A merchant's application as it stands: what it still lacks, and its records. */
export interface StandingApplication extends Application {
  readonly requested_fields: readonly string[]
  readonly records: readonly ApplicationRecord[]
}

/** The merchant's application, also before anything of it was sent. */
export async function applicationOf(work: Work): Promise<StandingApplication> {
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
 * Submits the application for examination. Refuses one that lacks something with `missing_parameter`, every missing field
 * among its details. In test mode `simulate_status` is what the examination comes to, at once.
 */
export async function submitApplication(
  work: Work,
  simulate_status: ApplicationStatus | undefined,
): Promise<{ changes: readonly Change[]; answer: StandingApplication }> {
  if (simulate_status && work.mode === 'live')
    throw new Refusal('invalid_parameter', {
      param: 'simulate_status',
      message: 'An examination can be simulated in test mode only.',
    })
  const { requested_fields, records, version } = await applicationOf(work)
  refuseIncomplete(requested_fields)
  const status = simulate_status ?? 'pending'
  const next: Application = { version, status, submitted_at: timestamp(work.now()) }
  const updated_at = timestamp(work.now())
  const examined = records.map((record) => ({ ...record, status, updated_at }))
  return {
    changes: [changed(applications, next), ...examined.map((record) => changed(applicationRecords, record))],
    answer: { ...next, requested_fields, records: examined },
  }
}

function refuseIncomplete(requested_fields: readonly string[]): void {
  const [first] = requested_fields
  if (first === undefined) return
  throw new Refusal('missing_parameter', {
    param: first,
    details: Object.fromEntries(requested_fields.map((field) => [field, 'is required'])),
    message: `The application lacks ${requested_fields.length} of its fields; details names all of them.`,
  })
}
