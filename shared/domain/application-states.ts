import type { Application, ApplicationRecord, ApplicationStatus } from './application.ts'
import { type Fault, Refusal } from './errors.ts'
import { timestamp } from './timestamp.ts'

/**
 * The state of an application. A `draft` is not submitted. A `corrected` application was rejected and has changed
 * since. A merchant sees a corrected application as `rejected`, with the reason, until it is submitted again.
 */
export const application_states = ['draft', 'submitted', 'approved', 'rejected', 'corrected'] as const
export type ApplicationState = (typeof application_states)[number]

/** What happens to an application. The merchant changes and submits it, and the operator approves or rejects it. */
export const application_steps = ['change', 'submit', 'approve', 'reject'] as const
type ApplicationStep = (typeof application_steps)[number]

/** The state after each step. A step whose cell is empty is refused. */
// biome-ignore format: a table
const transitions: Readonly<Record<ApplicationState, Partial<Record<ApplicationStep, ApplicationState>>>> = {
  draft:     { change: 'draft',     submit: 'submitted' },
  submitted: { change: 'draft',     submit: 'submitted', approve: 'approved', reject: 'rejected' },
  approved:  { change: 'draft',     submit: 'approved',  approve: 'approved', reject: 'rejected' },
  rejected:  { change: 'corrected', submit: 'submitted', approve: 'approved', reject: 'rejected' },
  corrected: { change: 'corrected', submit: 'submitted' },
}

/** Returns the state of an application. */
export function stateOf({ status, submitted_at }: Application): ApplicationState {
  if (status === 'rejected') return submitted_at ? 'rejected' : 'corrected'
  if (!submitted_at) return 'draft'
  return status === 'approved' ? 'approved' : 'submitted'
}

/**
 * Withdraws a submitted application. A merchant who changes a record after the submission must submit again, so that no
 * record, above all the bank account, is swapped after the examination. A rejected application keeps its reason until
 * then. Returns undefined if nothing was submitted.
 */
export function reopenApplication(application: Application | undefined): Application | undefined {
  if (!application?.submitted_at) return undefined
  const status = transitions[stateOf(application)].change === 'corrected' ? 'rejected' : 'pending'
  return { ...application, status, submitted_at: null }
}

/** An application with all its records, as a submission or an examination leaves them. */
export interface ApplicationChange {
  readonly next: Application
  readonly records: readonly ApplicationRecord[]
}

/** The reason of a rejection that `simulate_status` asks for. */
export const SIMULATED_REASON = 'The rejection is simulated.'

/**
 * Submits an application with all its records. `simulated` is the result of a simulated examination. Without it, an
 * approved application stays approved, since no record has changed. Refuses an incomplete application with
 * `missing_parameter`. The `errors` in its `details` name every missing field.
 */
export function submit(
  application: Application,
  { records, missing }: { readonly records: readonly ApplicationRecord[]; readonly missing: readonly string[] },
  simulated: ApplicationStatus | undefined,
  now: number,
): ApplicationChange {
  refuseIncomplete(missing)
  if (!simulated && transitions[stateOf(application)].submit === 'approved') return { next: application, records }
  const rejection_reason = simulated === 'rejected' ? SIMULATED_REASON : null
  const { version } = application
  const next = { version, status: simulated ?? 'pending', submitted_at: timestamp(now), rejection_reason }
  return { next, records: examined(records, next.status, now) }
}

/** The decision of the operator on an application. A rejection has a reason, which the merchant reads. */
export type Verdict = { readonly step: 'approve' } | { readonly step: 'reject'; readonly reason: string }

/**
 * Approves or rejects a submitted application with all its records. Repeating the same verdict changes nothing. Another
 * verdict replaces the first one. Refuses with `unprocessable_entity` an application that is not submitted.
 */
export function examine(
  application: Application,
  records: readonly ApplicationRecord[],
  verdict: Verdict,
  now: number,
): ApplicationChange {
  const status = transitions[stateOf(application)][verdict.step]
  if (status !== 'approved' && status !== 'rejected')
    throw new Refusal('unprocessable_entity', {
      message: `The application is not submitted, so you cannot ${verdict.step} it. The merchant submits it first.`,
    })
  const rejection_reason = verdict.step === 'reject' ? verdict.reason : null
  const is_same = application.status === status && (application.rejection_reason ?? null) === rejection_reason
  if (is_same) return { next: application, records }
  return { next: { ...application, status, rejection_reason }, records: examined(records, status, now) }
}

const examined = (records: readonly ApplicationRecord[], status: ApplicationStatus, now: number) =>
  records.map((record) => ({ ...record, status, updated_at: timestamp(now) }))

function refuseIncomplete(missing: readonly string[]): void {
  const errors = missing.map((param): Fault => ({ code: 'missing_parameter', message: missingSentence(param), param }))
  const [first] = errors
  if (first) throw new Refusal(first.code, { ...first, details: { errors } })
}

const missingSentence = (field: string): string =>
  `${field} is missing. Send it with POST /live_application/${field.split('[')[0]}, then submit again.`
