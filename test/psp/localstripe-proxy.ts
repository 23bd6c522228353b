import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { startServer, stopServer } from '#test/fixtures/http-server.ts'

/** A proxy in front of localstripe, and the list of the changes that it has made. */
export interface LocalstripeProxy {
  readonly url: string
  readonly changes: Set<string>
  stop(): Promise<void>
}

/**
 * Starts a proxy that leaves out what localstripe does not know: `return_url` and `expand`. It also turns a confirm that
 * names a payment method into an update and a confirm. Every other parameter passes unchanged. An answer with a payment
 * intent gets what localstripe does not have: two amounts, the types of payment methods, and the redirect that a
 * `return_url` asks for.
 */
export async function startLocalstripeProxy(origin: string): Promise<LocalstripeProxy> {
  const changes = new Set<string>()
  const server = createServer((request, response) => {
    forward(origin, request, response, changes).catch((error) => response.destroy(error))
  })
  const url = await startServer(server)
  return { url, changes, stop: () => stopServer(server) }
}

async function forward(
  origin: string,
  request: IncomingMessage,
  response: ServerResponse,
  changes: Set<string>,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url!, origin)
  const form = request.method === 'POST' ? new URLSearchParams(await text(request)) : searchParams
  for (const name of [...form.keys()]) {
    const parameter = /^(return_url|expand)(\[|$)/.exec(name)?.[1]
    if (parameter === undefined) continue
    form.delete(name)
    changes.add(`${parameter} left out`)
  }
  const send = (path: string, content: URLSearchParams) => {
    const is_post = request.method === 'POST'
    const target = is_post || content.size === 0 ? path : `${path}?${content}`
    const headers = { authorization: request.headers.authorization! }
    return fetch(origin + target, { method: request.method, headers, ...(is_post && { body: content }) })
  }
  const payment_method = form.get('payment_method')
  if (pathname.endsWith('/confirm') && payment_method !== null) {
    form.delete('payment_method')
    changes.add('payment_method of a confirm sent as an update')
    await send(pathname.replace('/confirm', ''), new URLSearchParams({ payment_method }))
  }
  const answer = await send(pathname, form)
  const body = completed((await answer.json()) as Answer)
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

interface Answer {
  readonly object?: string
  readonly status: string
  readonly amount: number
  readonly next_action: object | null
  readonly charges?: { data: { refunds: { data: { payment_intent: string | null; amount: number }[] } }[] }
}

/** Completes a payment intent. localstripe lists what a capture released as a refund of the charge. */
function completed(answer: Answer): object {
  if (answer.object !== 'payment_intent') return answer
  const { amount, status, next_action, charges } = answer
  const released = charges?.data[0]?.refunds.data.filter(({ payment_intent }) => payment_intent === null) ?? []
  const received = amount - released.reduce((sum, refund) => sum + refund.amount, 0)
  return {
    ...answer,
    payment_method_types: ['card'],
    next_action: next_action && redirect,
    amount_received: status === 'succeeded' ? received : 0,
    amount_capturable: status === 'requires_capture' ? amount : 0,
  }
}

const redirect = {
  type: 'redirect_to_url',
  redirect_to_url: { return_url: 'https://shop.example/return', url: 'https://bank.example/challenge' },
}
