import { randomUUID } from 'node:crypto'
import { Broken, expectHeader, listed, refused, shown } from './answers.ts'
import type { Check } from './check.ts'
import { card, formOf, POOR_CARD, payment } from './samples.ts'

/** Checks of how merchants are paid: charges, captures, refunds, idempotency, declines and events. */
export const paymentChecks: readonly Check[] = [
  {
    what: 'a payment in JSON is captured, shown, listed and refunded',
    async run(api) {
      const fields = payment()
      const made = await api.send('POST /payments', { json: { ...fields, payment_details: card() } })
      const captured = { ...fields, resource: 'payment', status: 'captured', total: 1200 }
      const { id } = shown(made, captured)
      shown(await api.send(`GET /payments/${id}`), { id, ...captured })
      const list = listed(await api.send(`GET /payments?external_order_num=${fields.external_order_num}`))
      if (list.map((one) => one.id).join() !== id) throw new Broken('GET /payments does not list the payment')
      const refunded = await api.send(`POST /payments/${id}/refund`)
      shown(refunded, { id, status: 'refunded', amount_refunded: 1200 })
    },
  },
  {
    what: 'a payment in a form is authorized, then captured',
    async run(api) {
      const form = formOf({ ...payment(), capture: false, payment_details: card() })
      const { id } = shown(await api.send('POST /payments', { form }), { status: 'authorized' })
      shown(await api.send(`POST /payments/${id}/capture`), { id, status: 'captured' })
    },
  },
  {
    what: 'a payment that is sent twice with one Idempotency-Key is created once',
    async run(api) {
      const request = {
        json: { ...payment(), payment_details: card() },
        headers: { 'idempotency-key': `smoke-${randomUUID()}` },
      }
      const { id } = shown(await api.send('POST /payments', request))
      const again = await api.send('POST /payments', request)
      shown(again, { id })
      expectHeader(again, ['Idempotent-Replayed'], /^true$/)
    },
  },
  {
    what: 'a declined card is 402, and its payment shows the reason',
    async run(api) {
      const json = { ...payment(), payment_details: card(POOR_CARD) }
      const { details } = refused(await api.send('POST /payments', { json }), 402, 'insufficient_funds')
      const failed = { status: 'failed', failure_code: 'insufficient_funds' }
      shown(await api.send(`GET /payments/${details?.payment}`), failed)
    },
  },
  {
    what: 'the events of a payment can be read',
    async run(api) {
      const { id } = shown(await api.send('POST /payments', { json: { ...payment(), payment_details: card() } }))
      const events = listed(await api.send('GET /events?type=payment.captured&per_page=100'))
      const event = events.find(({ data }) => Object(data).id === id)
      if (!event) throw new Broken('GET /events does not list payment.captured of the payment')
      shown(await api.send(`GET /events/${event.id}`), { id: event.id, type: 'payment.captured' })
    },
  },
]
