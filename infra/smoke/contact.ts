import { errorOf, maybeJson } from './answers.ts'
import { type Deployment, NoAnswer, type Reply } from './deployment.ts'

/** Nothing could be checked, since the command, the address or the key is wrong. */
export class NothingToCheck extends Error {
  override readonly name = 'NothingToCheck'
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name cannot be looked up at the moment',
  ECONNREFUSED: 'nothing listens there',
}

/** Throws a sentence about what is wrong unless the API answers at `url` and knows the key. */
export async function recognize(api: Deployment, url: string): Promise<void> {
  const problem = problemWith(await firstReply(api, url))
  if (problem) throw new NothingToCheck(`${url} ${problem}`)
}

async function firstReply(api: Deployment, url: string): Promise<Reply> {
  try {
    return await api.send('GET /payment_methods')
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    throw new NothingToCheck(`${url} does not answer: ${reasons[error.code] ?? error.message}.`)
  }
}

function problemWith(reply: Reply): string | undefined {
  const { status, headers } = reply
  const code = errorOf(reply)?.code
  if (code === 'unauthorized') return 'is the API, but it does not know this key.'
  if (code === 'not_found') return 'has no API: its address ends in /api/v1.'
  if (status >= 500 || status === 429) return `does not work: it answers ${status}${code ? ` ${code}` : ''}.`
  const [method] = status === 200 ? [maybeJson(reply)].flat() : []
  if (typeof Object(method).type_slug === 'string') return undefined
  const type = headers.get('content-type')?.split(';')[0] ?? 'nothing'
  return `is not this API: it answers ${status} with ${type}. Its address ends in /api/v1.`
}
