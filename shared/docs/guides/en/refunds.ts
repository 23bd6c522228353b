import { html } from 'hono/html'
import type { Guide } from '../../guide.ts'
import { refund_payment } from '../../samples/refunds.ts'

export const refunds: Guide = {
  slug: 'refunds',
  title: 'Refund a payment',
  summary: 'Give the customer back all or part of a payment.',
  sections: [
    {
      id: 'cards-and-wallets',
      title: 'Cards and wallets',
      body: ({ sample, error }) =>
        html`<p>A captured payment by card or wallet can be refunded in one or more parts. Without <code>amount</code>, the refund is all that is left.</p>${sample(refund_payment)}<p>Any other payment returns ${error('not_refundable')}.</p>`,
    },
  ],
}
