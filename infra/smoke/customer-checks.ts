import { Broken, expectHeader, expectStatus, refused, shown } from './answers.ts'
import type { Check } from './check.ts'
import { card, payment } from './samples.ts'

/** Checks of what the service stores for merchants: card details in the vault, and files. */
export const customerChecks: readonly Check[] = [
  {
    what: 'a customer is stored, charged and deleted',
    async run(api, afterwards) {
      const made = await api.send('POST /customers', { json: { payment_details: card(), email: 'smoke@example.com' } })
      const { id, source } = shown(made, { resource: 'customer', email: 'smoke@example.com' })
      afterwards(`DELETE /customers/${id}`)
      if (Object(source).last_four_digits !== '1111') throw new Broken('POST /customers does not show the stored card')
      const charged = await api.send('POST /payments', { json: { ...payment(), customer: id } })
      shown(charged, { status: 'captured', customer: id })
      shown(await api.send(`DELETE /customers/${id}`), { id, source: null })
      refused(await api.send(`GET /customers/${id}`), 404, 'not_found')
    },
  },
  {
    what: 'a file is stored, and its link returns its content',
    async run(api) {
      const content = Buffer.from('%PDF-1.7\n% Smoke test\n')
      const parts = new FormData()
      parts.set('paper', new Blob([content]), 'smoke-test.pdf')
      const fields = {
        resource: 'file',
        filename: 'smoke-test.pdf',
        size: content.length,
        mime_type: 'application/pdf',
      }
      const { id } = shown(await api.send('POST /files', { parts }), fields)
      const link = await api.send(`GET /files/${id}/content`)
      expectStatus(link, 302)
      const file = await api.open('The link to the file', expectHeader(link, ['Location'], /^https?:/))
      expectStatus(file, 200)
      if (!file.bytes.equals(content)) throw new Broken('The link to the file returns other content')
    },
  },
]
