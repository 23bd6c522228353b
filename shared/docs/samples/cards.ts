import type { Sample } from '../sample.ts'

/**
 * A form on the page of a shop. Its script sends the card to the payment service with the publishable key, and only the
 * token to the shop. `{publishable_key}` stands for the key.
 */
export const card_form = `<form id="card">
  <input type="hidden" name="payment_details[type]" value="credit_card">
  <label>Card number <input name="payment_details[number]" autocomplete="cc-number" inputmode="numeric" required></label>
  <label>Month <input name="payment_details[month]" autocomplete="cc-exp-month" inputmode="numeric" required></label>
  <label>Year <input name="payment_details[year]" autocomplete="cc-exp-year" inputmode="numeric" required></label>
  <label>Security code <input name="payment_details[verification_value]" autocomplete="cc-csc" inputmode="numeric"></label>
  <label>Name on the card <input name="payment_details[name]" autocomplete="cc-name" required></label>
  <button>Pay</button>
  <p role="alert"></p>
</form>
<form id="order" method="post" action="/orders/1001/pay"><input type="hidden" name="token"></form>
<script type="module">
  const publishable_key = '{publishable_key}'
  const card = document.querySelector('#card')
  const order = document.querySelector('#order')
  card.addEventListener('submit', async (event) => {
    event.preventDefault()
    const response = await fetch('{base_url}/tokens', {
      method: 'POST',
      headers: { Authorization: 'Basic ' + btoa(publishable_key + ':') },
      body: new URLSearchParams(new FormData(card)),
    })
    const body = await response.json()
    if (!response.ok) {
      // body.error.param names the field, such as payment_details[number].
      card.querySelector('[role=alert]').textContent = 'Please check your card details.'
      return
    }
    order.elements.token.value = body.id
    order.submit()
  })
</script>`

/** Creates a token for a card that succeeds, as the page of a shop does, and prints its id. */
export const create_token: Sample = {
  shell: `export TOKEN=$(curl -sS {base_url}/tokens -u "$PUBLISHABLE_KEY:" \\
  -d 'payment_details[type]=credit_card' -d 'payment_details[number]=4111111111111111' \\
  -d 'payment_details[month]=12' -d 'payment_details[year]=2035' \\
  -d 'payment_details[verification_value]=123' -d 'payment_details[name]=Taro Yamada' |
  grep -o 'tok_[0-9a-z]*')
echo "$TOKEN"`,
  typescript: `const response = await fetch('{base_url}/tokens', {
  method: 'POST',
  headers: {
    Authorization: 'Basic ' + btoa(process.env.PUBLISHABLE_KEY + ':'),
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    payment_details: {
      type: 'credit_card',
      number: '4111111111111111',
      month: 12,
      year: 2035,
      verification_value: '123',
      name: 'Taro Yamada',
    },
  }),
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.message)
console.log(body.id)`,
}

/** Charges the token `TOKEN` with 1000 yen. */
export const pay_with_token: Sample = {
  shell: `curl -sS {base_url}/payments -u "$SECRET_KEY:" -H "Idempotency-Key: order-1001-$TOKEN" \\
  -d amount=1000 -d currency=JPY -d payment_details="$TOKEN"`,
  typescript: `const response = await fetch('{base_url}/payments', {
  method: 'POST',
  headers: {
    Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':'),
    'Content-Type': 'application/json',
    'Idempotency-Key': 'order-1001-' + process.env.TOKEN,
  },
  body: JSON.stringify({ amount: 1000, currency: 'JPY', payment_details: process.env.TOKEN }),
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.code + ': ' + body.error.message)
console.log(body.id, body.status)`,
}

/** The part of the response to `pay_with_token` that matters. */
export const captured_payment = `{
  "id": "pay_…",
  "resource": "payment",
  "status": "captured",
  "amount": 1000,
  "total": 1000,
  "currency": "JPY",
  "payment_details": { "type": "credit_card", "brand": "visa", "last_four_digits": "1111" }
}`

/** Charges the token `TOKEN`. If its card needs 3-D Secure, prints where to send the customer. */
export const pay_with_3d_secure: Sample = {
  shell: `curl -sS {base_url}/payments -u "$SECRET_KEY:" -H "Idempotency-Key: order-1002-$TOKEN" \\
  -d amount=1000 -d currency=JPY -d payment_details="$TOKEN" \\
  -d external_order_num=1002 -d locale=en -d return_url=https://shop.example/orders/1002`,
  typescript: `const response = await fetch('{base_url}/payments', {
  method: 'POST',
  headers: {
    Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':'),
    'Content-Type': 'application/json',
    'Idempotency-Key': 'order-1002-' + process.env.TOKEN,
  },
  body: JSON.stringify({
    amount: 1000,
    currency: 'JPY',
    payment_details: process.env.TOKEN,
    external_order_num: '1002',
    locale: 'en',
    return_url: 'https://shop.example/orders/1002',
  }),
})
const body = await response.json()
if (response.status === 402) {
  console.log('Ask the customer for another card:', body.error.code)
} else if (!response.ok) {
  throw new Error(body.error.code + ': ' + body.error.message)
} else if (body.status === 'pending' && body.payment_details.redirect_url) {
  console.log('Redirect the customer to', body.payment_details.redirect_url)
} else {
  console.log('Done:', body.status)
}`,
}

/** The part of the response to `pay_with_3d_secure` that matters. */
export const pending_payment = `{
  "id": "pay_…",
  "status": "pending",
  "captured_at": null,
  "payment_details": { "type": "credit_card", "last_four_digits": "0100", "redirect_url": "http…" }
}`

/** Creates a secure token for the token `TOKEN` and prints where to send the customer. */
export const create_secure_token: Sample = {
  shell: `curl -sS {base_url}/secure_tokens -u "$SECRET_KEY:" \\
  -d amount=1000 -d currency=JPY -d payment_details="$TOKEN" \\
  -d return_url=https://shop.example/orders/1003`,
  typescript: `const response = await fetch('{base_url}/secure_tokens', {
  method: 'POST',
  headers: {
    Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':'),
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    amount: 1000,
    currency: 'JPY',
    payment_details: process.env.TOKEN,
    return_url: 'https://shop.example/orders/1003',
  }),
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.code + ': ' + body.error.message)
console.log('Redirect the customer to', body.authentication_url)`,
}

/** Charges the secure token `SECURE_TOKEN` if its customer has passed 3-D Secure. */
export const pay_with_secure_token: Sample = {
  shell: `curl -sS {base_url}/secure_tokens/$SECURE_TOKEN -u "$SECRET_KEY:"
curl -sS {base_url}/payments -u "$SECRET_KEY:" -H "Idempotency-Key: order-1003-$SECURE_TOKEN" \\
  -d amount=1000 -d currency=JPY -d payment_details="$SECURE_TOKEN"`,
  typescript: `const Authorization = 'Basic ' + btoa(process.env.SECRET_KEY + ':')
const secure_token = process.env.SECURE_TOKEN

const shown = await fetch('{base_url}/secure_tokens/' + secure_token, { headers: { Authorization } })
const { verification_status, error } = await shown.json()
if (!shown.ok) throw new Error(error.message)
if (!['OK', 'SKIPPED'].includes(verification_status)) throw new Error('3-D Secure: ' + verification_status)

const response = await fetch('{base_url}/payments', {
  method: 'POST',
  headers: { Authorization, 'Content-Type': 'application/json', 'Idempotency-Key': 'order-1003-' + secure_token },
  body: JSON.stringify({ amount: 1000, currency: 'JPY', payment_details: secure_token }),
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.code + ': ' + body.error.message)
console.log(body.id, body.status)`,
}

/** Holds 25.00 US dollars on the card of the token `TOKEN`. */
export const authorize_card: Sample = {
  shell: `curl -sS {base_url}/payments -u "$SECRET_KEY:" -H "Idempotency-Key: order-1004-$TOKEN" \\
  -d amount=2500 -d currency=USD -d payment_details="$TOKEN" -d capture=false`,
  typescript: `const response = await fetch('{base_url}/payments', {
  method: 'POST',
  headers: {
    Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':'),
    'Content-Type': 'application/json',
    'Idempotency-Key': 'order-1004-' + process.env.TOKEN,
  },
  body: JSON.stringify({ amount: 2500, currency: 'USD', payment_details: process.env.TOKEN, capture: false }),
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.code + ': ' + body.error.message)
console.log(body.id, body.status, body.payment_deadline)`,
}

/** Captures 20.00 US dollars of the payment `PAYMENT`. */
export const capture_payment: Sample = {
  shell: `curl -sS {base_url}/payments/$PAYMENT/capture -u "$SECRET_KEY:" \\
  -H "Idempotency-Key: capture-$PAYMENT" -d amount=2000`,
  typescript: `const payment = process.env.PAYMENT
const response = await fetch('{base_url}/payments/' + payment + '/capture', {
  method: 'POST',
  headers: {
    Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':'),
    'Content-Type': 'application/json',
    'Idempotency-Key': 'capture-' + payment,
  },
  body: JSON.stringify({ amount: 2000 }),
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.code + ': ' + body.error.message)
console.log(body.status, body.amount)`,
}

/** Cancels the payment `PAYMENT`, which is not paid yet. */
export const cancel_payment: Sample = {
  shell: `curl -sS -X POST {base_url}/payments/$PAYMENT/cancel -u "$SECRET_KEY:"`,
  typescript: `const response = await fetch('{base_url}/payments/' + process.env.PAYMENT + '/cancel', {
  method: 'POST',
  headers: { Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':') },
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.code + ': ' + body.error.message)
console.log(body.status)`,
}
