import * as v from 'valibot'
import { type Application, application_statuses } from '#shared/domain/application.ts'
import { inJapan } from '#shared/domain/timestamp.ts'
import { oneOf, optional } from './fields.ts'

/** The parameters of a submission. In test mode, `simulate_status` sets the result of the examination. */
export const SubmitApplication = v.object({
  simulate_status: v.pipe(
    optional(oneOf(application_statuses)),
    v.description('The result of the examination, which is simulated at once. Only in test mode.'),
  ),
})
export type SubmitApplication = v.InferOutput<typeof SubmitApplication>

/**
 * An application for live payments as a merchant sees it, with the fields that are still missing. `rejection_reason` is
 * null unless the status is `rejected`.
 */
export function live_application({
  status,
  submitted_at,
  requested_fields,
  rejection_reason = null,
}: Application & { readonly requested_fields: readonly string[] }) {
  return {
    resource: 'live_application' as const,
    status,
    requested_fields,
    rejection_reason,
    submitted_at: submitted_at && inJapan(submitted_at),
  }
}
