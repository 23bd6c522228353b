import * as v from 'valibot'
import type { ApplicationRecord } from '#shared/domain/application.ts'
import { inJapan } from '#shared/domain/timestamp.ts'
import type { Field, Kept } from './onboarding-fields.ts'
import type { OnboardingRecord } from './onboarding-records.ts'

/** What a request says of a record's fields: absent stays as it is, null unsets. */
export type RecordRequest = Readonly<Record<string, Kept | undefined>>

/** The request of a record, made from its field table: every field may be absent. */
export function requestOf({ fields }: OnboardingRecord) {
  const entries = Object.entries(fields).map(([name, field]) => [name, v.optional(schemaOf(field))] as const)
  return v.object(Object.fromEntries(entries)) as v.GenericSchema<unknown, RecordRequest>
}

const schemaOf = ({ takes, keeps_empty = false }: Field) =>
  v.pipe(
    v.unknown(),
    v.transform((input) => (input === '' && !keeps_empty ? null : input)),
    v.nullable(takes),
  )

/** A record as a merchant sees it: every field in its type, or of a payment method what is stored of it. */
export function onboarding_record(table: OnboardingRecord, record: ApplicationRecord): object {
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
  { fields: kept }: ApplicationRecord,
  isShown: (name: string) => boolean,
): Record<string, unknown> {
  const shown = Object.entries(fields).filter(([name, { input_only }]) => !input_only && isShown(name))
  return Object.fromEntries(shown.map(([name, field]) => [name, shownField(field, kept[name])]))
}

function shownField({ shows, unset = null }: Field, kept: Kept | undefined): unknown {
  if (kept === undefined || kept === null) return unset
  return shows ? shows(kept) : kept
}
