import type { Sample } from '../sample.ts'

/** Creates a session for an order of 2500 yen and prints where to send the customer. */
export const create_session: Sample = {
  shell: `curl -sS {base_url}/sessions -u "$SECRET_KEY:" -H 'Idempotency-Key: order-3001' \\
  -d amount=2500 -d currency=JPY -d external_order_num=3001 \\
  -d return_url=https://shop.example/orders/3001 -d default_locale=en -d email=taro@example.com \\
  -d 'payment_types[]=credit_card' -d 'payment_types[]=konbini' -d 'payment_types[]=paypay'`,
  typescript: `const response = await fetch('{base_url}/sessions', {
  method: 'POST',
  headers: {
    Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':'),
    'Content-Type': 'application/json',
    'Idempotency-Key': 'order-3001',
  },
  body: JSON.stringify({
    amount: 2500,
    currency: 'JPY',
    external_order_num: '3001',
    return_url: 'https://shop.example/orders/3001',
    default_locale: 'en',
    email: 'taro@example.com',
    payment_types: ['credit_card', 'konbini', 'paypay'],
  }),
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.code + ': ' + body.error.message)
console.log(body.id, body.session_url)`,
}

/** The part of the response to `create_session` that matters. */
export const new_session = `{
  "id": "ses_…",
  "resource": "session",
  "status": "pending",
  "expired": false,
  "session_url": "http…",
  "payment": null
}`

/** Creates a session from line items, which expires after half an hour. */
export const create_session_of_items: Sample = {
  shell: `curl -sS {base_url}/sessions -u "$SECRET_KEY:" -H 'Idempotency-Key: order-3002' \\
  -d currency=USD -d expires_in_seconds=1800 -d return_url=https://shop.example/orders/3002 \\
  -d 'line_items[][description]=Coffee beans' -d 'line_items[][amount]=1450' -d 'line_items[][quantity]=2' \\
  -d 'line_items[][description]=Shipping' -d 'line_items[][amount]=500'`,
  typescript: `const response = await fetch('{base_url}/sessions', {
  method: 'POST',
  headers: {
    Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':'),
    'Content-Type': 'application/json',
    'Idempotency-Key': 'order-3002',
  },
  body: JSON.stringify({
    currency: 'USD',
    expires_in_seconds: 1800,
    return_url: 'https://shop.example/orders/3002',
    line_items: [
      { description: 'Coffee beans', amount: 1450, quantity: 2 },
      { description: 'Shipping', amount: 500 },
    ],
  }),
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.code + ': ' + body.error.message)
console.log(body.amount, body.currency)`,
}

/** Creates a session that stores the customer's card and takes no payment. */
export const store_card: Sample = {
  shell: `curl -sS {base_url}/sessions -u "$SECRET_KEY:" \\
  -d mode=customer -d email=taro@example.com -d return_url=https://shop.example/account`,
  typescript: `const response = await fetch('{base_url}/sessions', {
  method: 'POST',
  headers: {
    Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':'),
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    mode: 'customer',
    email: 'taro@example.com',
    return_url: 'https://shop.example/account',
  }),
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.code + ': ' + body.error.message)
console.log(body.id, body.session_url)`,
}

/** Shows the session `SESSION` and the status of its payment. */
export const show_session: Sample = {
  shell: `curl -sS {base_url}/sessions/$SESSION -u "$SECRET_KEY:"`,
  typescript: `const response = await fetch('{base_url}/sessions/' + process.env.SESSION, {
  headers: { Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':') },
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.code + ': ' + body.error.message)
console.log(body.status, body.payment?.status)`,
}

/** Cancels the session `SESSION`. */
export const cancel_session: Sample = {
  shell: `curl -sS -X POST {base_url}/sessions/$SESSION/cancel -u "$SECRET_KEY:"`,
  typescript: `const response = await fetch('{base_url}/sessions/' + process.env.SESSION + '/cancel', {
  method: 'POST',
  headers: { Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':') },
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.code + ': ' + body.error.message)
console.log(body.status)`,
}
