import { describe, expect, test } from 'vitest'
import { requestSample } from '#shared/docs/samples/request-sample.ts'

describe('a sample of one request', () => {
  const sample = requestSample({
    method: 'POST',
    path: '/payments/$PAYMENT/refund',
    password: 'MERCHANT',
    body: { amount: 300, description: 'One cup', tags: ['a', '$TAG'], nested: { list: [{ on: true }] } },
    result: 'payment',
    prints: ['payment.status', 'payment.amount_refunded'],
  })

  test('is a form in the shell', () => {
    expect(sample.shell).toBe(`curl "{base_url}/payments/$PAYMENT/refund" -u "$SECRET_KEY:$MERCHANT" \\
  -H "Idempotency-Key: $(openssl rand -hex 16)" \\
  -d amount=300 \\
  -d 'description=One cup' \\
  -d 'tags[]=a' \\
  --data-urlencode "tags[]=$TAG" \\
  -d 'nested[list][0][on]=true'`)
  })

  test('is JSON in TypeScript', () => {
    expect(
      sample.typescript,
    ).toBe(`const response = await fetch(\`{base_url}/payments/\${process.env.PAYMENT}/refund\`, {
  method: 'POST',
  headers: {
    Authorization: \`Basic \${btoa(\`\${process.env.SECRET_KEY}:\${process.env.MERCHANT}\`)}\`,
    'Content-Type': 'application/json',
    'Idempotency-Key': crypto.randomUUID(),
  },
  body: JSON.stringify({
    amount: 300,
    description: 'One cup',
    tags: ['a', process.env.TAG],
    nested: {
      list: [{
        on: true,
      }],
    },
  }),
})
const payment = await response.json()
if (!response.ok) throw new Error(payment.error.message)
console.log(payment.status, payment.amount_refunded)`)
  })

  test('names the method in the shell unless curl implies it', () => {
    const shellOf = (method: 'GET' | 'POST' | 'DELETE') =>
      requestSample({ method, path: '/webhooks', key: 'PUBLISHABLE_KEY', result: 'list', prints: ['list.total'] }).shell
    expect(shellOf('GET')).toBe('curl {base_url}/webhooks -u "$PUBLISHABLE_KEY:"')
    expect(shellOf('DELETE')).toBe('curl -X DELETE {base_url}/webhooks -u "$PUBLISHABLE_KEY:"')
    expect(shellOf('POST')).toMatch(/^curl -X POST \{base_url\}/)
  })
})
