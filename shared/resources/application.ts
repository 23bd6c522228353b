import * as v from 'valibot'
import { type Application, application_statuses } from '#shared/domain/application.ts'
import { inJapan } from '#shared/domain/timestamp.ts'
import { described, resourceName, shown_time_in_japan } from './answer-fields.ts'
import { oneOf, optional } from './fields.ts'
import { viewOf } from './view.ts'

/** The parameters of a submission. In test mode, `simulate_status` sets the result of the examination. */
export const SubmitApplication = v.object({
  simulate_status: v.pipe(
    optional(oneOf(application_statuses)),
    v.description('The result of the examination, which is simulated at once. Only in test mode.'),
  ),
})
export type SubmitApplication = v.InferOutput<typeof SubmitApplication>

/** An application for live payments as a merchant sees it. */
export const LiveApplicationResource = described(
  v.strictObject({
    resource: resourceName('live_application'),
    status: described(
      v.picklist(application_statuses),
      '`pending` until the operator has examined the application, then `approved` or `rejected`.',
    ),
    requested_fields: described(
      v.array(v.string()),
      'The fields that are still missing, each as record and field: `site_information[site_name]`. Empty if none is missing.',
    ),
    rejection_reason: described(
      v.nullable(v.string()),
      'Why the operator rejected the application. Null unless `status` is `rejected`.',
    ),
    submitted_at: described(
      v.nullable(shown_time_in_japan),
      'Time in Japan at which the application was submitted. Null before that, and after a record has changed since.',
    ),
  }),
  'Your application for live payments.',
)
export type LiveApplicationResource = v.InferOutput<typeof LiveApplicationResource>

/** Shows an application for live payments with the fields that are still missing. */
export const live_application = viewOf(
  LiveApplicationResource,
  ({
    status,
    submitted_at,
    requested_fields,
    rejection_reason = null,
  }: Application & { readonly requested_fields: readonly string[] }): LiveApplicationResource => ({
    resource: 'live_application',
    status,
    requested_fields: [...requested_fields],
    rejection_reason,
    submitted_at: submitted_at && inJapan(submitted_at),
  }),
)
