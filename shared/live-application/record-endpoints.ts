import { type ApplicationRecord, newRecord, updateRecord } from '#shared/domain/application.ts'
import { reopenApplication } from '#shared/domain/application-states.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { onboardingView, type RecordRequest, requestOf } from '#shared/resources/onboarding.ts'
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
  returns: onboardingView(name),
  run: async ({ request, work }: Asked) => write(work, request, (await findRecord(work, name)) ?? begun(work, name)),
})

/**
 * Specifies the endpoint that changes a record. The fields that the request names change, the other fields stay.
 * Refuses with `not_found` a record that does not exist.
 */
export const updates = (name: RecordName) => ({
  request: requestOf(onboarding_records[name]),
  returns: onboardingView(name),
  run: async ({ request, work }: Asked) => write(work, request, await found(work, name)),
})

/** Specifies the endpoint that shows a record. Refuses with `not_found` a record that does not exist. */
export const shows = (name: RecordName) => ({
  returns: onboardingView(name),
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
  return newRecord(name, has_id ? work.newId('company') : null, work.now())
}

async function write(work: UnitOfWork, request: RecordRequest, before: ApplicationRecord): Promise<Done> {
  await refuseOtherFiles(work, before.name as RecordName, request)
  const next = updateRecord(before, request, work.now())
  const reopened = reopenApplication(await work.at(applications, applicationKey(work.merchant, 'live_application')))
  return {
    changes: [changed(applicationRecords, next), ...(reopened ? [changed(applications, reopened)] : [])],
    answer: next,
  }
}
