import type { Sample } from '../sample.ts'

/** Refunds 300 of the payment `PAYMENT`. */
export const refund_payment: Sample = {
  shell: `curl -sS {base_url}/payments/$PAYMENT/refund -u "$SECRET_KEY:" \\
  -H "Idempotency-Key: refund-1-$PAYMENT" -d amount=300`,
  typescript: `const payment = process.env.PAYMENT
const response = await fetch('{base_url}/payments/' + payment + '/refund', {
  method: 'POST',
  headers: {
    Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':'),
    'Content-Type': 'application/json',
    'Idempotency-Key': 'refund-1-' + payment,
  },
  body: JSON.stringify({ amount: 300 }),
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.code + ': ' + body.error.message)
console.log(body.status, body.amount_refunded)`,
}

/** The part of the response to `refund_payment` that matters. */
export const refunded_in_part = `{
  "status": "captured",
  "amount": 1000,
  "amount_refunded": 300,
  "refunds": [{ "id": "ref_…", "resource": "refund", "amount": 300, "currency": "JPY" }]
}`

/** Refunds all that is left of the payment `PAYMENT`. */
export const refund_rest: Sample = {
  shell: `curl -sS -X POST {base_url}/payments/$PAYMENT/refund -u "$SECRET_KEY:" \\
  -H "Idempotency-Key: refund-rest-$PAYMENT"`,
  typescript: `const payment = process.env.PAYMENT
const response = await fetch('{base_url}/payments/' + payment + '/refund', {
  method: 'POST',
  headers: {
    Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':'),
    'Idempotency-Key': 'refund-rest-' + payment,
  },
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.code + ': ' + body.error.message)
console.log(body.status, body.amount_refunded)`,
}

/** Requests a bank transfer of 1000 yen to the customer of the cash payment `PAYMENT`. */
export const request_refund: Sample = {
  shell: `curl -sS {base_url}/payments/$PAYMENT/refund_request -u "$SECRET_KEY:" \\
  -H "Idempotency-Key: refund-1-$PAYMENT" -d amount=1000 -d customer_name='Taro Yamada' \\
  -d bank_name='Example Bank' -d branch_number=001 -d account_type=normal -d account_number=1234567`,
  typescript: `const payment = process.env.PAYMENT
const response = await fetch('{base_url}/payments/' + payment + '/refund_request', {
  method: 'POST',
  headers: {
    Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':'),
    'Content-Type': 'application/json',
    'Idempotency-Key': 'refund-1-' + payment,
  },
  body: JSON.stringify({
    amount: 1000,
    customer_name: 'Taro Yamada',
    bank_name: 'Example Bank',
    branch_number: '001',
    account_type: 'normal',
    account_number: '1234567',
  }),
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.code + ': ' + body.error.message)
console.log(body.refund_requests[0].id, body.refund_requests[0].status)`,
}

/** The part of the response to `request_refund` that matters. */
export const requested_refund = `{
  "status": "captured",
  "amount_refunded": 0,
  "refund_requests": [
    { "id": "rrq_…", "amount": 1000, "account_number": "****567", "status": "pending" }
  ]
}`

/** Completes the refund request `REFUND_REQUEST` on the local run at `LOCAL_RUN`. */
export const complete_refund_request: Sample = {
  shell: `curl -sS $LOCAL_RUN/_local/refund_requests/$REFUND_REQUEST -d status=completed`,
  typescript: `const { LOCAL_RUN, REFUND_REQUEST } = process.env
const response = await fetch(LOCAL_RUN + '/_local/refund_requests/' + REFUND_REQUEST, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ status: 'completed' }),
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.message)
console.log(body.amount_refunded, body.refund_requests[0].status)`,
}
