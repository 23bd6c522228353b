import type { IncomingMessage } from 'node:http'
import type Stripe from 'stripe'

/** The prefix of the idempotency keys that the SDK makes up. */
const MADE_UP_KEY = 'stripe-node-retry-'

/** The largest answer that is read. A page of a list has at most 100 objects of a few kilobytes each. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024

type Answer = Awaited<ReturnType<Stripe.HttpClient['makeRequest']>>

/**
 * Returns an HTTP client for the SDK that sends each request once, and takes only answers of Stripe. The SDK repeats a
 * request on a closed connection even without retries, and makes up an idempotency key for each. Both are prevented
 * here: a repetition is the decision of the inquiry schedule, and only a request with a key of its payment may have one.
 */
export function strictClient(client: Stripe.HttpClient): Stripe.HttpClient {
  return {
    getClientName: () => client.getClientName(),
    makeRequest: (host, port, path, method, headers, body, protocol, timeout) =>
      client.makeRequest(host, port, path, method, ownKeyOnly(headers), body, protocol, timeout).then(
        checked,
        // The SDK decides by the code of the error whether it repeats the request.
        (error) => {
          throw new Error('the connection was closed', { cause: error })
        },
      ),
  }
}

type Headers = Parameters<Stripe.HttpClient['makeRequest']>[4]

function ownKeyOnly(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => !(name === 'Idempotency-Key' && `${value}`.startsWith(MADE_UP_KEY)),
    ),
  )
}

const checked = (answer: Answer): Answer => ({
  getStatusCode: () => answer.getStatusCode(),
  getHeaders: () => answer.getHeaders(),
  getRawResponse: () => answer.getRawResponse(),
  toStream: (completed) => answer.toStream(completed),
  toJSON: () => objectOf(answer),
})

/**
 * The body of an answer. Throws for a body that is too large or no object: the SDK fails outside of its promise if the
 * body is a number or a text. Throws for a redirect, and for any other status that has no error in its body, because the
 * SDK takes such an answer for a success.
 */
async function objectOf(answer: Answer): Promise<object> {
  const response = answer.getRawResponse() as IncomingMessage
  let bytes = 0
  response.on('data', (chunk: string | Buffer) => {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) response.destroy(new Error('the answer is too large'))
  })
  const body: unknown = await answer.toJSON()
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Error('the answer is no object')
  const is_success = answer.getStatusCode() >= 200 && answer.getStatusCode() <= 299
  if (!is_success && !('error' in body)) throw new Error('the answer says no error')
  return body
}
