/** Where an application for live payments stands, and each record of it. */
export const application_statuses = ['pending', 'approved', 'rejected'] as const
export type ApplicationStatus = (typeof application_statuses)[number]

/** One record of a merchant's application, as it is kept. */
export interface ApplicationRecord {
  readonly version: number
  /** Which record it is: `site_information`, `payment_methods/wallet`. */
  readonly name: string
  /** The id of a record that shows one. */
  readonly id: string | null
  /** What was sent and not unset since. */
  readonly fields: Readonly<Record<string, string | boolean | readonly string[]>>
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
