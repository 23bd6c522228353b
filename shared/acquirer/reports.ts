import type { ReportedPayment } from '#shared/domain/follow-payment.ts'

/** An event of the provider, without its content: what is needed to look up the object that the event is about. */
export interface EventReference {
  /** The provider's id of the event. */
  readonly id: string
  /** The provider's name of the kind of event, such as `payment_intent.succeeded`. */
  readonly type: string
  /** The provider's id of the object that the event is about. */
  readonly object: string
  /** The connected account of the event; null for the account of the API key. */
  readonly account: string | null
  /** Whether the event is about real money. */
  readonly is_live: boolean
  readonly created_at: string
}

/** The present state of a payment at the provider. */
export interface PaymentReport {
  readonly merchant: string
  readonly payment: string
  /** The provider's own id of the payment's charge. */
  readonly reference: string
  readonly state: ReportedPayment
}

/** What a provider reports by itself: the present state of the object of an event, and its list of events. */
export interface Reports {
  /**
   * Looks up the object of an event and returns the present state of its payment. Returns null for an object that
   * belongs to no payment of this stage. Throws `OutcomeUnknown` if there is no response or an invalid one.
   */
  report(type: string, object: string, within_ms: number): Promise<PaymentReport | null>
  /**
   * Lists one page of the events since `from`, newest first, at most 100. `page` is the `next` of the previous page, and
   * null for the first one. `next` is null on the last page. Throws `OutcomeUnknown` as `report` does.
   */
  since(
    from: string,
    page: string | null,
    within_ms: number,
  ): Promise<{ readonly events: readonly EventReference[]; readonly next: string | null }>
}
