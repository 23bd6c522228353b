import { Refusal } from './errors.ts'
import { timestamp } from './timestamp.ts'

/** The statuses of an application for live payments and of each of its records. */
export const application_statuses = ['pending', 'approved', 'rejected'] as const
export type ApplicationStatus = (typeof application_statuses)[number]

/** The value of a field of a record. */
type FieldValue = string | boolean | readonly string[]

/** One record of a merchant's application, as stored. */
export interface ApplicationRecord {
  readonly version: number
  /** The path of the record, such as `site_information` or `payment_methods/wallet`. */
  readonly name: string
  /** The id of the record; null for a record that shows no id. */
  readonly id: string | null
  /** The values that were sent and not unset later. */
  readonly fields: Readonly<Record<string, FieldValue>>
  readonly status: ApplicationStatus
  readonly created_at: string
  readonly updated_at: string
}

/** A merchant's application as a whole. */
export interface Application {
  readonly version: number
  readonly status: ApplicationStatus
  readonly submitted_at: string | null
}

/** Returns a new record without any fields. */
export function newRecord(name: string, id: string | null, now: number): ApplicationRecord {
  const at = timestamp(now)
  return { version: 0, name, id, fields: {}, status: 'pending', created_at: at, updated_at: at }
}

/** Changes the named fields of a record. A field that is null is unset. The record has to be examined again. */
export function updateRecord(
  record: ApplicationRecord,
  named: Readonly<Record<string, FieldValue | null | undefined>>,
  now: number,
): ApplicationRecord {
  const fields = Object.entries({ ...record.fields, ...named }).filter(
    (entry): entry is [string, FieldValue] => entry[1] !== undefined && entry[1] !== null,
  )
  return { ...record, fields: Object.fromEntries(fields), status: 'pending', updated_at: timestamp(now) }
}

/**
 * Withdraws a submitted application. A merchant who changes a record after the submission must submit again, so that no
 * record, above all the bank account, is swapped after the examination. Returns undefined if nothing was submitted.
 */
export const reopenApplication = (application: Application | undefined): Application | undefined =>
  application?.submitted_at ? { ...application, status: 'pending', submitted_at: null } : undefined

/**
 * Submits an application with all its records. `status` is the result of the examination, or `pending`. Refuses an
 * incomplete application with `missing_parameter`; its `details` name every missing field.
 */
export function submit(
  { version }: Application,
  { records, missing }: { readonly records: readonly ApplicationRecord[]; readonly missing: readonly string[] },
  status: ApplicationStatus,
  now: number,
): { next: Application; records: ApplicationRecord[] } {
  refuseIncomplete(missing)
  const at = timestamp(now)
  return {
    next: { version, status, submitted_at: at },
    records: records.map((record) => ({ ...record, status, updated_at: at })),
  }
}

function refuseIncomplete(missing: readonly string[]): void {
  const [first] = missing
  if (first === undefined) return
  throw new Refusal('missing_parameter', {
    param: first,
    details: Object.fromEntries(missing.map((field) => [field, 'is required'])),
    message: `The application lacks ${missing.length} of its fields. Send those that details names, then submit it again.`,
  })
}
