/** An account as stored for the merchant that created it. It has one test merchant and one live merchant. */
export interface Account {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly default_currency: string
  readonly time_zone: string
  readonly live_merchant: string
  readonly test_merchant: string
  readonly accepted_service_agreement_at: string | null
  readonly accepted_service_agreement_ip: string | null
  readonly created_at: string
  readonly updated_at: string
}
