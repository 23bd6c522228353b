import { Refusal } from '#shared/domain/errors.ts'
import type { StoredFile } from '#shared/domain/file.ts'
import type { Platform } from '#shared/platform/ports.ts'
import { type OnboardingRecord, onboarding_records, type RecordName } from '#shared/resources/onboarding-records.ts'
import { findFile, objectOf } from '#shared/store/files.ts'
import { isId } from '#shared/store/keys.ts'
import { type Applicant, merchantWith, workOf } from './examine-application.ts'

/** A document that a field of an application names. */
export interface ApplicationDocument {
  /** The field in form notation: `company_information[incorporation_certificates]`. */
  readonly field: string
  readonly id: string
  /** Undefined if the merchant has no such file. */
  readonly file: StoredFile | undefined
}

/** Returns the documents that an application names, in the order of its records and fields. */
export async function documentsOf(
  platform: Platform,
  { merchant, application }: Applicant,
): Promise<ApplicationDocument[]> {
  const work = workOf(platform, merchant)
  const named = application.records.flatMap(({ name, fields: values }) => {
    const { fields }: OnboardingRecord = onboarding_records[name as RecordName]
    return Object.entries(values).flatMap(([field, value]) =>
      fields[field]?.files ? [value].flat().map((id) => ({ field: `${name}[${field}]`, id: String(id) })) : [],
    )
  })
  return Promise.all(named.map(async ({ field, id }) => ({ field, id, file: await findFile(work, id) })))
}

/**
 * Returns the file of a merchant with this id, and the name of its bytes in the bucket. Refuses an unknown merchant and
 * a file that the merchant does not have with `not_found`.
 */
export async function documentOf(
  platform: Platform,
  { merchant: id, file: file_id }: { readonly merchant: string; readonly file: string },
): Promise<{ readonly file: StoredFile; readonly object: string }> {
  const work = workOf(platform, await merchantWith(platform, id))
  const file = isId(file_id) ? await findFile(work, file_id) : undefined
  if (!file) throw new Refusal('not_found', { message: `${id} has no file ${file_id}. See: application show ${id}.` })
  return { file, object: objectOf(work, file) }
}
