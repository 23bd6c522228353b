import type { EventType } from '#shared/domain/event.ts'

/** The meaning of an event type for a merchant, and the resource in its `data`. */
export interface EventText {
  /** What happened, and when the event occurs. */
  readonly meaning: string
  /** The resource in `data`, as the reference names its page. */
  readonly data: 'payments' | 'customers' | 'subscriptions' | 'settlements' | 'webhooks'
}

export const event_texts: Readonly<Record<EventType, EventText>> = {
  ping: {
    meaning:
      'A test event. It is sent to one webhook when you create it and when you call its ping, whatever events the webhook lists.',
    data: 'webhooks',
  },
  'payment.authorized': {
    meaning:
      'The amount is reserved. A card with manual capture waits for your capture; a cash payment waits for the customer, who has the instructions now.',
    data: 'payments',
  },
  'payment.captured': {
    meaning:
      'The money is taken: the card is charged, the wallet has approved, or the cash is paid. Deliver the order now.',
    data: 'payments',
  },
  'payment.updated': {
    meaning:
      'A field of the payment changed that has no event of its own, such as its metadata or a rejected refund request.',
    data: 'payments',
  },
  'payment.expired': {
    meaning: 'The payment was not completed before its deadline. No money was taken, and an authorization is released.',
    data: 'payments',
  },
  'payment.cancelled': {
    meaning: 'You or the customer cancelled the payment before it was captured. An authorization is released.',
    data: 'payments',
  },
  'payment.refund.created': {
    meaning: 'Part or all of the payment was given back. Each refund has its own event.',
    data: 'payments',
  },
  'payment.refunded': {
    meaning:
      'The whole amount of the payment was given back. The event follows the payment.refund.created of the last refund.',
    data: 'payments',
  },
  'payment.failed': {
    meaning:
      'The charge failed. The fields failure_code and failure_message say why. The customer may try again with a new payment.',
    data: 'payments',
  },
  'payment.marked.as.fraud': {
    meaning:
      'The charge was refused as suspected fraud. The event follows the payment.failed of the same charge. Do not deliver the order.',
    data: 'payments',
  },
  'customer.created': { meaning: 'A customer was created.', data: 'customers' },
  'customer.updated': {
    meaning: 'A field of the customer or the stored payment details changed.',
    data: 'customers',
  },
  'customer.deleted': {
    meaning: 'The customer was deleted, and the stored payment details were erased.',
    data: 'customers',
  },
  'subscription.created': { meaning: 'A subscription was created.', data: 'subscriptions' },
  'subscription.captured': {
    meaning: 'An interval of the subscription was paid. The event occurs at the first payment and at each renewal.',
    data: 'subscriptions',
  },
  'subscription.failed': {
    meaning:
      'The charge of an interval failed; the field last_failure says why. The next try is a day later, unless the event subscription.suspended follows.',
    data: 'subscriptions',
  },
  'subscription.suspended': {
    meaning:
      'The first charge failed, or four charges of an interval in a row. No further charge follows. Stop the service or contact the customer.',
    data: 'subscriptions',
  },
  'subscription.deleted': {
    meaning: 'The subscription ended, because you deleted it or its customer. No further charge follows.',
    data: 'subscriptions',
  },
  'settlement.created': {
    meaning: 'The settlement of a week was created: what moved, the fees and the net amount.',
    data: 'settlements',
  },
}
