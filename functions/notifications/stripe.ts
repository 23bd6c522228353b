import { notification } from '#shared/http/notification.ts'
import { receiveStripe } from '#shared/notifications/receive-stripe.ts'

/** Receives a notification of Stripe about a payment. It is stored and processed later. */
export const handler = notification('POST /notifications/stripe', {
  signature: 'stripe-signature',
  receive: receiveStripe,
})
