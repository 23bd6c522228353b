import { examine, type Verdict } from '#shared/domain/application-states.ts'
import { Refusal } from '#shared/domain/errors.ts'
import type { Platform } from '#shared/platform/ports.ts'
import { isId, merchantKey } from '#shared/store/keys.ts'
import { recordOf } from '#shared/store/kind.ts'
import { type Merchant, merchants } from '#shared/store/merchants.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { applicationOf, changesOf, type StandingApplication } from './submit-application.ts'

/** A merchant with its application, for the operator. */
export interface Applicant {
  readonly merchant: Merchant
  readonly application: StandingApplication
}

/** Returns a merchant with its application. Refuses an unknown merchant with `not_found`. */
export async function applicantOf(platform: Platform, id: string): Promise<Applicant> {
  const merchant = await merchantWith(platform, id)
  return { merchant, application: await applicationOf(workOf(platform, merchant)) }
}

/** The application to examine, by its merchant. */
export interface Examination {
  readonly merchant: string
  readonly verdict: Verdict
  /** When the application was submitted, as the operator has seen it. Absent: the latest submission is examined. */
  readonly submitted_at?: string
}

/**
 * Approves or rejects the application of a live merchant. If the merchant changes a record at the same time, the
 * examination is repeated on the changed application, which is not submitted then. Refuses an unknown merchant with
 * `not_found`, another submission with `conflict`, and with `unprocessable_entity` a test merchant and an application
 * that is not submitted.
 */
export async function examineApplication(
  platform: Platform,
  { merchant: id, verdict, submitted_at }: Examination,
): Promise<void> {
  const merchant = await merchantWith(platform, id)
  if (merchant.mode === 'test')
    throw new Refusal('unprocessable_entity', {
      message: `${id} is a test merchant. Its result comes from simulate_status of POST /live_application/submit.`,
    })
  const work = workOf(platform, merchant)
  await retryOnConflict(work, async () => {
    const { requested_fields, records, ...application } = await applicationOf(work)
    const submission = application.submitted_at
    if (submission && submitted_at !== undefined && submitted_at !== submission)
      throw new Refusal('conflict', {
        message: `The application was submitted at ${submission}, not at ${submitted_at}. Show it again before you decide.`,
      })
    await work.commit(changesOf(application, examine(application, records, verdict, work.now())))
  })
}

/** Returns a unit of work of the operator for a merchant. */
export const workOf = (platform: Platform, { id, mode }: Merchant): UnitOfWork =>
  new UnitOfWork({ platform, merchant: id, mode })

/** Returns the merchant with this id. Refuses an unknown merchant with `not_found`. */
export async function merchantWith({ table }: Platform, id: string): Promise<Merchant> {
  const [item] = isId(id) ? await table.get([merchantKey(id)]) : []
  if (!item) throw new Refusal('not_found', { message: `There is no merchant ${id}.` })
  return recordOf(merchants, item)
}
