import type { Sample } from '../sample.ts'

/** Pays the order `ORDER` once, however often the program runs. */
export const pay_order: Sample = {
  shell: `curl -i {base_url}/payments -u "$SECRET_KEY:" \\
  -H "Idempotency-Key: pay-$ORDER" \\
  -d amount=1000 \\
  -d currency=JPY \\
  --data-urlencode "external_order_num=$ORDER" \\
  --data-urlencode "payment_details=$TOKEN"`,
  typescript: `const response = await fetch('{base_url}/payments', {
  method: 'POST',
  headers: {
    Authorization: \`Basic \${btoa(\`\${process.env.SECRET_KEY}:\`)}\`,
    'Content-Type': 'application/json',
    'Idempotency-Key': \`pay-\${process.env.ORDER}\`,
  },
  body: JSON.stringify({
    amount: 1000,
    currency: 'JPY',
    external_order_num: process.env.ORDER,
    payment_details: process.env.TOKEN,
  }),
})
const payment = await response.json()
if (!response.ok) throw new Error(payment.error.message)
console.log(payment.id, response.headers.get('Idempotent-Replayed'))`,
}

/** Pays the order `ORDER` and repeats the request while its outcome is unknown. */
export const pay_with_retries: Sample = {
  shell: `curl {base_url}/payments -u "$SECRET_KEY:" \\
  --retry 5 --retry-connrefused --max-time 60 \\
  -H "Idempotency-Key: pay-$ORDER" \\
  -d amount=1000 \\
  -d currency=JPY \\
  --data-urlencode "external_order_num=$ORDER" \\
  --data-urlencode "payment_details=$TOKEN"`,
  typescript: `const RETRIES = 5

/** Sends a POST. Repeats it with the same key while its outcome is unknown. */
async function post(path: string, body: object, idempotencyKey: string): Promise<Response> {
  for (let retry = 0; ; retry++) {
    const response = await fetch(\`{base_url}\${path}\`, {
      method: 'POST',
      headers: {
        Authorization: \`Basic \${btoa(\`\${process.env.SECRET_KEY}:\`)}\`,
        'Content-Type': 'application/json',
        'Idempotency-Key': idempotencyKey,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    }).catch((error) => {
      if (retry === RETRIES) throw error
      return undefined
    })
    const isOver = response && response.status < 500 && ![409, 429].includes(response.status)
    if (response && (isOver || retry === RETRIES)) return response
    const seconds = Number(response?.headers.get('Retry-After') ?? 2 ** retry * Math.random())
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}

const { ORDER, TOKEN } = process.env
const order = { amount: 1000, currency: 'JPY', external_order_num: ORDER, payment_details: TOKEN }
const response = await post('/payments', order, \`pay-\${ORDER}\`)
const answer = await response.json()
console.log(response.status, response.ok ? answer.status : answer.error.code)`,
}
