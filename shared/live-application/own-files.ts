import { Refusal } from '#shared/domain/errors.ts'
import type { RecordRequest } from '#shared/resources/onboarding.ts'
import { type OnboardingRecord, onboarding_records, type RecordName } from '#shared/resources/onboarding-records.ts'
import { findFile } from '#shared/store/files.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/** Refuses with `invalid_parameter` a field that names a file of another merchant, or a file that does not exist. */
export async function refuseOtherFiles(work: UnitOfWork, name: RecordName, request: RecordRequest): Promise<void> {
  const { fields }: OnboardingRecord = onboarding_records[name]
  const named = Object.entries(request).flatMap(([param, value]) =>
    fields[param]?.files && value ? [value].flat().map((id) => ({ param, id: String(id) })) : [],
  )
  const found = await Promise.all(named.map(({ id }) => findFile(work, id)))
  const other = named.find((_, index) => !found[index])
  if (other)
    throw new Refusal('invalid_parameter', {
      param: other.param,
      message: `${other.param} must be the id of a file that you uploaded with POST /files.`,
    })
}
