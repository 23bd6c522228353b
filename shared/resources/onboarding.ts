import * as v from 'valibot'
import type { ApplicationRecord } from '#shared/domain/application.ts'
import { inJapan } from '#shared/domain/timestamp.ts'
import { onboarding_resources } from './onboarding-answers.ts'
import type { Field, StoredValue } from './onboarding-fields.ts'
import { type OnboardingRecord, onboarding_records, type RecordName } from './onboarding-records.ts'
import { viewOf } from './view.ts'

/** The fields of a record in a request. An absent field stays unchanged, and null unsets a field. */
export type RecordRequest = Readonly<Record<string, StoredValue | undefined>>

/** Builds the schema of a record's request from its table of fields. Every field can be absent. */
export function requestOf({ fields }: OnboardingRecord) {
  const entries = Object.entries(fields).map(
    ([name, field]) => [name, v.pipe(v.optional(schemaOf(field)), v.description(field.description))] as const,
  )
  return v.object(Object.fromEntries(entries)) as v.GenericSchema<unknown, RecordRequest>
}

const schemaOf = ({ takes, keeps_empty = false }: Field) =>
  v.pipe(
    v.unknown(),
    v.transform((input) => (input === '' && !keeps_empty ? null : input)),
    v.nullable(takes),
  )

/**
 * Returns the view of a record of the application. The table of the record determines the shown fields, which its
 * schema describes.
 */
export const onboardingView = (name: RecordName) =>
  viewOf<[ApplicationRecord], v.GenericSchema<object>>(onboarding_resources[name], (record) =>
    onboarding_record(onboarding_records[name], record),
  )

/**
 * A record as a merchant sees it. The record of a payment method shows only its stored fields. Any other record shows
 * all fields.
 */
function onboarding_record(table: OnboardingRecord, record: ApplicationRecord): object {
  if (table.echoes) return shownFields(table, record, (name) => record.fields[name] !== undefined)
  return {
    ...(table.has_id && { id: record.id }),
    resource: record.name,
    status: record.status,
    ...shownFields(table, record, () => true),
    ...table.also_shown,
    created_at: inJapan(record.created_at),
    updated_at: inJapan(record.updated_at),
  }
}

function shownFields(
  { fields }: OnboardingRecord,
  { fields: stored }: ApplicationRecord,
  isShown: (name: string) => boolean,
): Record<string, unknown> {
  const shown = Object.entries(fields).filter(([name, { input_only }]) => !input_only && isShown(name))
  return Object.fromEntries(shown.map(([name, field]) => [name, shownField(field, stored[name])]))
}

function shownField({ shows, unset = null }: Field, stored: StoredValue | undefined): unknown {
  if (stored === undefined || stored === null) return unset
  return shows ? shows(stored) : stored
}
