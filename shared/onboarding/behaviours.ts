import type { ApplicationRecord } from '#shared/domain/application.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { onboarding_record, type RecordRequest, requestOf } from '#shared/resources/onboarding.ts'
import { type OnboardingRecord, onboarding_records, type RecordName } from '#shared/resources/onboarding-records.ts'
import { applicationRecords, applications } from '#shared/store/applications.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { applicationKey } from '#shared/store/keys.ts'
import type { Work } from '#shared/store/work.ts'
import { refuseOtherFiles } from './own-files.ts'

interface Asked {
  readonly request: RecordRequest
  readonly work: Work
}

interface Done {
  readonly changes?: readonly Change[]
  readonly answer: ApplicationRecord
}

/** Begins a record of the application. Where it is there already, what is named of it is replaced. */
export const creates = (name: RecordName) => ({
  request: requestOf(onboarding_records[name]),
  returns: (record: ApplicationRecord) => onboarding_record(onboarding_records[name], record),
  run: async ({ request, work }: Asked) => write(work, request, (await kept(work, name)) ?? begun(work, name)),
})

/** Changes what is named of a record, and keeps the rest. Refused with `not_found` before it was begun. */
export const updates = (name: RecordName) => ({
  request: requestOf(onboarding_records[name]),
  returns: (record: ApplicationRecord) => onboarding_record(onboarding_records[name], record),
  run: async ({ request, work }: Asked) => write(work, request, await found(work, name)),
})

/** Shows a record. Refused with `not_found` before it was begun. */
export const shows = (name: RecordName) => ({
  returns: (record: ApplicationRecord) => onboarding_record(onboarding_records[name], record),
  run: async ({ work }: { readonly work: Work }): Promise<Done> => ({ answer: await found(work, name) }),
})

const kept = (work: Work, name: RecordName) => work.at(applicationRecords, applicationKey(work.merchant, name))

async function found(work: Work, name: RecordName): Promise<ApplicationRecord> {
  const record = await kept(work, name)
  if (!record) throw new Refusal('not_found')
  return record
}

function begun(work: Work, name: RecordName): ApplicationRecord {
  const { has_id }: OnboardingRecord = onboarding_records[name]
  const at = timestamp(work.now())
  const id = has_id ? work.newId('company') : null
  return { version: 0, name, id, fields: {}, status: 'pending', created_at: at, updated_at: at }
}

async function write(work: Work, request: RecordRequest, before: ApplicationRecord): Promise<Done> {
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

/** Whoever changes what was examined, above all the bank account, has to submit it again. */
async function reopened(work: Work): Promise<Change[]> {
  const application = await work.at(applications, applicationKey(work.merchant, 'live_application'))
  if (!application?.submitted_at) return []
  return [changed(applications, { ...application, status: 'pending', submitted_at: null })]
}
