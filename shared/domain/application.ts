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
  /** Why the operator rejected the application. Null unless it is rejected; absent in records of older versions. */
  readonly rejection_reason?: string | null
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
