import { type Body, type Content, exampleOf, resolved } from './api-description.ts'
import type { Html } from './guide.ts'
import { jsonText } from './json-text.ts'
import { type RequestExample, referenceSample } from './reference-samples.ts'
import { type DescribedEndpoint, successOf } from './resources.ts'
import { codeBlock, type Panel } from './sample-tabs.ts'
import { apiUrl, type Site } from './site.ts'

/** Returns the samples of an endpoint: curl, TypeScript, and the body of the request as it is sent. */
export function samplesOf(site: Site, endpoint: DescribedEndpoint): Panel[] {
  const example = requestExample(endpoint)
  const filled = (text: string) => text.replaceAll('{base_url}', apiUrl(site))
  const is_json = example.body !== undefined && !example.sends_files
  return [
    { id: 'shell', name: 'curl', text: filled(referenceSample(example, 'shell')) },
    { id: 'typescript', name: 'TypeScript', text: filled(referenceSample(example, 'typescript')) },
    ...(is_json ? [{ id: 'json', name: 'JSON', text: jsonText(example.body) }] : []),
  ]
}

/** Returns the recorded request of an endpoint. */
export function requestExample(endpoint: DescribedEndpoint): RequestExample {
  const { method, path, operation, parameters } = endpoint
  const [type, content] = bodyOf(operation.requestBody) ?? []
  const query = parameters.flatMap(({ in: place, name, example }) =>
    place === 'query' && example !== undefined ? [[name, example as string] as const] : [],
  )
  return {
    method,
    path,
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(content && { body: exampleOf(content) }),
    ...(type === FILES && { sends_files: true }),
    ...(operation.responses?.[302] && { is_redirected: true }),
    ...(moving_money.has(`${method} ${path}`) && { moves_money: true }),
    key: takesPublishable(endpoint) ? 'PUBLISHABLE_KEY' : 'SECRET_KEY',
  }
}

/** The endpoints that move money. A request that is sent twice without an `Idempotency-Key` moves it twice. */
const moving_money: ReadonlySet<string> = new Set([
  'POST /payments',
  'POST /payments/{id}/capture',
  'POST /payments/{id}/refund',
  'POST /payments/{id}/refund_request',
  'POST /subscriptions',
])

const FILES = 'multipart/form-data'

/** Shows the recorded response of an endpoint, if the page has not shown it. */
export function answerExample(endpoint: DescribedEndpoint, seen: Set<string>): Html | '' {
  const success = successOf(endpoint)
  const example = exampleOf(success?.content)
  if (!success || example === undefined) return ''
  const { shown, is_cut } = firstEntryOf(example)
  const text = jsonText(shown)
  if (seen.has(text)) return ''
  seen.add(text)
  return codeBlock(`Response ${success.status}${is_cut ? ', first entry' : ''}`, text)
}

/** Cuts the page of a list to its first entry. */
function firstEntryOf(example: unknown): { shown: unknown; is_cut: boolean } {
  const { data } = Object(example) as { data?: unknown }
  if (!Array.isArray(data) || data.length < 2) return { shown: example, is_cut: false }
  return { shown: { ...(example as object), data: data.slice(0, 1) }, is_cut: true }
}

/** Returns the content type of a body that the reference shows, and its content: JSON, or the form of a file. */
export function bodyOf(body: Body | undefined): readonly [string, Content] | undefined {
  const all = Object.entries((body && resolved<Body>(body).content) ?? {})
  return all.find(([type]) => type === 'application/json') ?? all[0]
}

/** Whether a browser may call the endpoint with a publishable key. */
export const takesPublishable = ({ operation }: DescribedEndpoint): boolean =>
  (operation.security ?? []).some((keys) => 'publishable_key' in keys)
