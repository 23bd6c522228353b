import { errorOf, maybeJson } from './answers.ts'
import { type Deployment, NoAnswer, type Reply } from './deployment.ts'

/** No check can run, because the command line, the URL or the key is wrong, or because the API does not work. */
export class NothingToCheck extends Error {
  override readonly name = 'NothingToCheck'
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name cannot be resolved at the moment',
  ECONNREFUSED: 'nothing listens there',
}

/** Throws `NothingToCheck`, with a sentence that says why, unless the API responds at `url` and accepts the key. */
export async function recognize(api: Deployment, url: string): Promise<void> {
  const problem = problemWith(await firstReply(api, url))
  if (problem) throw new NothingToCheck(`${url} ${problem}`)
}

async function firstReply(api: Deployment, url: string): Promise<Reply> {
  try {
    return await api.send('GET /payment_methods')
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    throw new NothingToCheck(`${url} does not respond: ${reasons[error.code] ?? error.message}.`)
  }
}

function problemWith(reply: Reply): string | undefined {
  const { status, headers } = reply
  const code = errorOf(reply)?.code
  if (code === 'unauthorized') return 'is the API, but the key is not valid.'
  if (code === 'not_found') return 'has no API. The base URL of the API ends in /api/v1.'
  if (status >= 500 || status === 429) return `does not work: it responds with ${status}${code ? ` ${code}` : ''}.`
  const [method] = status === 200 ? [maybeJson(reply)].flat() : []
  if (typeof Object(method).type_slug === 'string') return undefined
  const type = headers.get('content-type')?.split(';')[0] ?? 'nothing'
  return `is not this API: it responds with ${status} and ${type}. The base URL of the API ends in /api/v1.`
}
