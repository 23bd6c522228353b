import type { Sample } from '../sample.ts'

/** Creates a payment of 3000 yen at a convenience store, to be paid within three days. */
export const pay_at_konbini: Sample = {
  shell: `curl -sS {base_url}/payments -u "$SECRET_KEY:" -H 'Idempotency-Key: order-2001' \\
  -d amount=3000 -d currency=JPY -d external_order_num=2001 -d locale=en \\
  -d 'payment_details[type]=konbini' -d 'payment_details[store]=lawson' \\
  -d 'payment_details[email]=taro@example.com' -d 'payment_details[expiry_days]=3'`,
  typescript: `const response = await fetch('{base_url}/payments', {
  method: 'POST',
  headers: {
    Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':'),
    'Content-Type': 'application/json',
    'Idempotency-Key': 'order-2001',
  },
  body: JSON.stringify({
    amount: 3000,
    currency: 'JPY',
    external_order_num: '2001',
    locale: 'en',
    payment_details: { type: 'konbini', store: 'lawson', email: 'taro@example.com', expiry_days: 3 },
  }),
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.code + ': ' + body.error.message)
console.log(body.status, body.payment_details.instructions_url)`,
}

/** The part of the response to `pay_at_konbini` that matters. */
export const reserved_payment = `{
  "id": "pay_…",
  "status": "authorized",
  "amount": 3000,
  "payment_method_fee": 190,
  "total": 3190,
  "payment_details": { "type": "konbini", "store": "lawson", "instructions_url": "http…" },
  "captured_at": null
}`

/** Creates a payment of 3000 yen by bank transfer, to be paid within seven days. */
export const pay_by_bank_transfer: Sample = {
  shell: `curl -sS {base_url}/payments -u "$SECRET_KEY:" -H 'Idempotency-Key: order-2002' \\
  -d amount=3000 -d currency=JPY -d external_order_num=2002 -d locale=en \\
  -d 'payment_details[type]=bank_transfer' -d 'payment_details[expiry_days]=7' \\
  -d 'payment_details[email]=taro@example.com' -d 'payment_details[phone]=0312345678' \\
  -d 'payment_details[family_name]=山田' -d 'payment_details[family_name_kana]=ヤマダ' \\
  -d 'payment_details[given_name]=太郎' -d 'payment_details[given_name_kana]=タロウ'`,
  typescript: `const response = await fetch('{base_url}/payments', {
  method: 'POST',
  headers: {
    Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':'),
    'Content-Type': 'application/json',
    'Idempotency-Key': 'order-2002',
  },
  body: JSON.stringify({
    amount: 3000,
    currency: 'JPY',
    external_order_num: '2002',
    locale: 'en',
    payment_details: {
      type: 'bank_transfer',
      expiry_days: 7,
      email: 'taro@example.com',
      phone: '0312345678',
      family_name: '山田',
      family_name_kana: 'ヤマダ',
      given_name: '太郎',
      given_name_kana: 'タロウ',
    },
  }),
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.code + ': ' + body.error.message)
const { bank_name, account_branch_name, account_type, account_number, account_name } = body.payment_details
console.log(bank_name, account_branch_name, account_type, account_number, account_name)`,
}

/** Pays the payment `PAYMENT` on the local run at `LOCAL_RUN`, as its customer would. */
export const pay_as_customer: Sample = {
  shell: `curl -sS -X POST $LOCAL_RUN/_local/payments/$PAYMENT/pay`,
  typescript: `const { LOCAL_RUN, PAYMENT } = process.env
const response = await fetch(LOCAL_RUN + '/_local/payments/' + PAYMENT + '/pay', { method: 'POST' })
const body = await response.json()
if (!response.ok) throw new Error(body.error.message)
console.log(body.status, body.captured_at)`,
}
