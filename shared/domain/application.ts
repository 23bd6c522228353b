/** The statuses of an application for live payments and of each of its records. */
export const application_statuses = ['pending', 'approved', 'rejected'] as const
export type ApplicationStatus = (typeof application_statuses)[number]

/** One record of a merchant's application, as stored. */
export interface ApplicationRecord {
  readonly version: number
  /** The path of the record, such as `site_information` or `payment_methods/wallet`. */
  readonly name: string
  /** The id of the record; null for a record that shows no id. */
  readonly id: string | null
  /** The values that were sent and not unset later. */
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
