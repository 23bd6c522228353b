import type { Sample } from '../sample.ts'

/** Pays with a card that is declined. */
export const declined_payment: Sample = {
  shell: `TOKEN=$(curl -sS {base_url}/tokens -u "$PUBLISHABLE_KEY:" \\
  -d 'payment_details[type]=credit_card' -d 'payment_details[number]=4123111111111059' \\
  -d 'payment_details[month]=12' -d 'payment_details[year]=2035' \\
  -d 'payment_details[name]=Taro Yamada' | grep -o 'tok_[0-9a-z]*')
curl -sS {base_url}/payments -u "$SECRET_KEY:" -H "Idempotency-Key: order-1002-$(date +%s)" \\
  -d amount=1000 -d currency=JPY -d payment_details="$TOKEN"`,
  typescript: `async function post(path: string, key: string | undefined, body: object, headers: object = {}) {
  const response = await fetch('{base_url}' + path, {
    method: 'POST',
    headers: { Authorization: 'Basic ' + btoa(key + ':'), 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

const card = { type: 'credit_card', number: '4123111111111059', month: 12, year: 2035, name: 'Taro Yamada' }
const token = await post('/tokens', process.env.PUBLISHABLE_KEY, { payment_details: card })
const order = { amount: 1000, currency: 'JPY', payment_details: token.body.id }
const { status, body } = await post('/payments', process.env.SECRET_KEY, order, {
  'Idempotency-Key': 'order-1002-' + Date.now(),
})
if (status === 402) console.log('Declined:', body.error.code, body.error.details.payment)`,
}

/** The part of the response to `declined_payment` that matters. */
export const decline = `{
  "error": {
    "code": "card_declined",
    "details": { "payment": "pay_…" }
  }
}`

/** Shows the payment `PAYMENT`. */
export const show_payment: Sample = {
  shell: `curl -sS {base_url}/payments/$PAYMENT -u "$SECRET_KEY:"`,
  typescript: `const response = await fetch('{base_url}/payments/' + process.env.PAYMENT, {
  headers: { Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':') },
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.code + ': ' + body.error.message)
console.log(body.status, body.amount_refunded)`,
}
