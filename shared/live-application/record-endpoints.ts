import type { ApplicationRecord } from '#shared/domain/application.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { onboarding_record, type RecordRequest, requestOf } from '#shared/resources/onboarding.ts'
import { type OnboardingRecord, onboarding_records, type RecordName } from '#shared/resources/onboarding-records.ts'
import { applicationRecords, applications } from '#shared/store/applications.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { applicationKey } from '#shared/store/keys.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { refuseOtherFiles } from './own-files.ts'

interface Asked {
  readonly request: RecordRequest
  readonly work: UnitOfWork
}

interface Done {
  readonly changes?: readonly Change[]
  readonly answer: ApplicationRecord
}

/**
 * Specifies the endpoint that creates a record of the application. If the record exists, the fields of the request
 * replace those stored.
 */
export const creates = (name: RecordName) => ({
  request: requestOf(onboarding_records[name]),
  returns: (record: ApplicationRecord) => onboarding_record(onboarding_records[name], record),
  run: async ({ request, work }: Asked) => write(work, request, (await findRecord(work, name)) ?? begun(work, name)),
})

/**
 * Specifies the endpoint that changes the fields of a record which the request names. The other fields stay unchanged.
 * Refuses with `not_found` a record that does not exist.
 */
export const updates = (name: RecordName) => ({
  request: requestOf(onboarding_records[name]),
  returns: (record: ApplicationRecord) => onboarding_record(onboarding_records[name], record),
  run: async ({ request, work }: Asked) => write(work, request, await found(work, name)),
})

/** Specifies the endpoint that shows a record. Refuses with `not_found` a record that does not exist. */
export const shows = (name: RecordName) => ({
  returns: (record: ApplicationRecord) => onboarding_record(onboarding_records[name], record),
  run: async ({ work }: { readonly work: UnitOfWork }): Promise<Done> => ({ answer: await found(work, name) }),
})

const findRecord = (work: UnitOfWork, name: RecordName) =>
  work.at(applicationRecords, applicationKey(work.merchant, name))

async function found(work: UnitOfWork, name: RecordName): Promise<ApplicationRecord> {
  const record = await findRecord(work, name)
  if (!record) throw new Refusal('not_found')
  return record
}

function begun(work: UnitOfWork, name: RecordName): ApplicationRecord {
  const { has_id }: OnboardingRecord = onboarding_records[name]
  const at = timestamp(work.now())
  const id = has_id ? work.newId('company') : null
  return { version: 0, name, id, fields: {}, status: 'pending', created_at: at, updated_at: at }
}

async function write(work: UnitOfWork, request: RecordRequest, before: ApplicationRecord): Promise<Done> {
  await refuseOtherFiles(work, before.name as RecordName, request)
  const fields = Object.entries({ ...before.fields, ...request }).filter(
    (entry): entry is [string, string | boolean | readonly string[]] => entry[1] !== undefined && entry[1] !== null,
  )
  const next: ApplicationRecord = {
    ...before,
    fields: Object.fromEntries(fields),
    status: 'pending',
    updated_at: timestamp(work.now()),
  }
  return { changes: [changed(applicationRecords, next), ...(await reopened(work))], answer: next }
}

/**
 * Returns the change that withdraws a submitted application. A merchant who changes a record after the submission must
 * submit again, so that no record, above all the bank account, is swapped after the examination.
 */
async function reopened(work: UnitOfWork): Promise<Change[]> {
  const application = await work.at(applications, applicationKey(work.merchant, 'live_application'))
  if (!application?.submitted_at) return []
  return [changed(applications, { ...application, status: 'pending', submitted_at: null })]
}
