import type { DeclineCode } from '#shared/domain/errors.ts'
import type { CardBrand } from '#shared/domain/payment-details.ts'
import type { Sample } from '../sample.ts'
import { requestSample } from './request-sample.ts'

/** A card number of the sandbox. `result` is what a charge leads to: an error code, or one of the other three words. */
export interface TestCard {
  readonly number: string
  readonly brand: CardBrand
  readonly result: DeclineCode | 'fraudulent' | 'succeeds' | 'needs_3d_secure' | 'pays_once'
}

/** The card numbers of the sandbox that have a purpose. Every other valid number succeeds. */
export const test_cards: readonly TestCard[] = [
  { number: '4111111111111111', brand: 'visa', result: 'succeeds' },
  { number: '5555555555554444', brand: 'master', result: 'succeeds' },
  { number: '3530111333300000', brand: 'jcb', result: 'succeeds' },
  { number: '378282246310005', brand: 'american_express', result: 'succeeds' },
  { number: '30569309025904', brand: 'diners_club', result: 'succeeds' },
  { number: '4100000000000100', brand: 'visa', result: 'needs_3d_secure' },
  { number: '5100000000000107', brand: 'master', result: 'needs_3d_secure' },
  { number: '4123111111111059', brand: 'visa', result: 'card_declined' },
  { number: '4123111111111000', brand: 'visa', result: 'insufficient_funds' },
  { number: '4123111111111018', brand: 'visa', result: 'exceeds_limit' },
  { number: '4123111111111034', brand: 'visa', result: 'bad_verification_value' },
  { number: '4123111111111042', brand: 'visa', result: 'card_expired' },
  { number: '4123111111111067', brand: 'visa', result: 'invalid_number' },
  { number: '4123111111111075', brand: 'visa', result: 'invalid_number' },
  { number: '4123111111111083', brand: 'visa', result: 'fraudulent' },
  { number: '4123111111112008', brand: 'visa', result: 'pays_once' },
]

/** Charges a card, loses the response, and repeats the request with the same idempotency key. */
export const lost_answer: Sample = {
  shell: `pay() {
  curl -sS {base_url}/payments -u "$SECRET_KEY:" -H "Idempotency-Key: order-4001-$TOKEN" "$@" \\
    -d amount=1000 -d currency=JPY -d payment_details="$TOKEN"
  echo
}
pay -H 'X-Service-Scenario: timeout_after_charge'
pay`,
  typescript: `const pay = (headers: Record<string, string> = {}) =>
  fetch('{base_url}/payments', {
    method: 'POST',
    headers: {
      Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':'),
      'Content-Type': 'application/json',
      'Idempotency-Key': 'order-4001-' + process.env.TOKEN,
      ...headers,
    },
    body: JSON.stringify({ amount: 1000, currency: 'JPY', payment_details: process.env.TOKEN }),
  })

const lost = await pay({ 'X-Service-Scenario': 'timeout_after_charge' })
const { error } = await lost.json()
console.log(lost.status, error.code, error.details.payment)

const repeated = await pay()
const payment = await repeated.json()
console.log(repeated.status, payment.status, payment.id)`,
}

/** Sends a parameter with a typing error and prints the header that names it. */
export const ignored_parameter: Sample = {
  shell: `curl -sS -D - -o /dev/null {base_url}/sessions -u "$SECRET_KEY:" \\
  -d amount=1000 -d currency=JPY -d retrun_url=https://shop.example/thanks |
  grep -i x-service-ignored-parameters`,
  typescript: `const response = await fetch('{base_url}/sessions', {
  method: 'POST',
  headers: {
    Authorization: 'Basic ' + btoa(process.env.SECRET_KEY + ':'),
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({ amount: 1000, currency: 'JPY', retrun_url: 'https://shop.example/thanks' }),
})
if (!response.ok) throw new Error((await response.json()).error.message)
console.log(response.headers.get('X-Service-Ignored-Parameters'))`,
}

/** Advances the clock of the local run at `LOCAL_RUN` by four days. */
export const advance_clock: Sample = {
  shell: `curl -sS $LOCAL_RUN/_local/clock -d advance=345600`,
  typescript: `const response = await fetch(process.env.LOCAL_RUN + '/_local/clock', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ advance: 4 * 86_400 }),
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.message)
console.log(body.now)`,
}

/** Advances the test clock by 31 days. */
export const advance_test_clock: Sample = requestSample({
  method: 'POST',
  path: '/test_clock',
  body: { advance: 31 * 86_400 },
  result: 'clock',
  prints: ['clock.now'],
})

/** Shows the time that the test clock has reached. */
export const show_test_clock: Sample = requestSample({
  method: 'POST',
  path: '/test_clock',
  body: { advance: 0 },
  result: 'clock',
  prints: ['clock.now'],
})

/** Creates a merchant with keys of its own on the local run at `LOCAL_RUN`. */
export const create_merchant: Sample = {
  shell: `curl -sS $LOCAL_RUN/_local/merchants -d name='Test shop'`,
  typescript: `const response = await fetch(process.env.LOCAL_RUN + '/_local/merchants', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ name: 'Test shop' }),
})
const body = await response.json()
if (!response.ok) throw new Error(body.error.message)
console.log(body.test.secret_key, body.test.publishable_key)`,
}
