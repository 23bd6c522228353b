import type { Sample } from '../sample.ts'

/** Refunds 300 of the payment `PAYMENT`. */
export const refund_payment: Sample = {
  shell: `curl {base_url}/payments/$PAYMENT/refund -u "$SECRET_KEY:" -d amount=300`,
  typescript: `const response = await fetch(\`{base_url}/payments/\${process.env.PAYMENT}/refund\`, {
  method: 'POST',
  headers: {
    Authorization: \`Basic \${btoa(\`\${process.env.SECRET_KEY}:\`)}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({ amount: 300 }),
})
const payment = await response.json()
console.log(payment.status, payment.amount_refunded)`,
}
