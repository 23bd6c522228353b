import { html } from 'hono/html'
import type { ErrorCode } from '#shared/domain/errors.ts'
import {
  type Body,
  type Content,
  exampleOf,
  examplesOf,
  type Parameter,
  resolved,
  type Schema,
} from './api-description.ts'
import type { Html } from './guide.ts'
import { errorLink } from './guide-parts.ts'
import { jsonText } from './json-text.ts'
import { paragraphs } from './reference-text.ts'
import { type RequestExample, requestSample } from './request-samples.ts'
import { type DescribedEndpoint, isList, resources, successOf } from './resources.ts'
import { codeBlock, type Panel } from './sample-tabs.ts'
import { type Field, fieldList, fieldsIn } from './schema-fields.ts'
import { placeOf } from './shared-objects.ts'
import { apiUrl, pathTo, type Site } from './site.ts'

/** What the sections of a page share. */
export interface PageState {
  readonly title: string
  readonly tabs: (panels: readonly Panel[]) => Html
  /** The examples that the page has shown. An example is shown once, because a page has a limit of bytes. */
  readonly seen: Set<string>
}

/** Returns the anchor of an endpoint, such as `post-payments-id-refund`. */
export const endpointAnchor = ({ method, path }: DescribedEndpoint): string =>
  `${method}${path}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replace(/-$/, '')

/** Shows an endpoint: what it does, keys, parameters, answers and refusals, beside samples. */
export function endpointSection(site: Site, endpoint: DescribedEndpoint, state: PageState): Html {
  const { method, path, operation, parameters } = endpoint
  const own = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place)
  const content = bodyOf(operation.requestBody)
  return html`<section class="pair"><div><h2 id="${endpointAnchor(endpoint)}">${state.title}</h2><p class="route"><b class="${method.toLowerCase()}">${method}</b> <code>/api/v1${path}</code></p>${paragraphs(operation.description ?? '')}<p class="facts">${keysOf(endpoint)}</p>${titled(site, 'Path parameters', parameterFields(own('path')))}${titled(site, 'Query parameters', parameterFields(own('query')))}${titled(site, 'Body', bodyFields(content?.[1]))}${answers(site, endpoint)}${refusals(site, endpoint)}</div><div>${state.tabs(samplesOf(site, endpoint))}${answerExample(endpoint, state.seen)}</div></section>`
}

const titled = (site: Site, title: string, fields: readonly Field[]): Html | '' =>
  fields.length === 0 ? '' : html`<h3>${title}</h3>${fieldList(site, fields)}`

const parameterFields = (parameters: readonly Parameter[]): Field[] =>
  parameters.map(({ name, schema = {}, description, required = false }) => ({
    name,
    schema,
    description,
    is_required: required,
  }))

const bodyFields = (content: Content | undefined): Field[] => (content?.schema ? fieldsIn(content.schema, true) : [])

/** Returns the content type of a body that the reference shows, and its content: JSON, or the form of a file. */
function bodyOf(body: Body | undefined): readonly [string, Content] | undefined {
  const all = Object.entries((body && resolved<Body>(body).content) ?? {})
  return all.find(([type]) => type === 'application/json') ?? all[0]
}

/** Names the keys that an endpoint accepts. */
function keysOf({ operation }: DescribedEndpoint): string {
  const names = (operation.security ?? []).flatMap((one) => Object.keys(one)).join(' ')
  return takesPublishable(names) ? 'Secret key, or publishable key in a browser.' : 'Secret key.'
}

const takesPublishable = (names: string): boolean => /publishable/i.test(names)

/** Says what an endpoint responds with, and leads to the description of the object. */
function answers(site: Site, endpoint: DescribedEndpoint): Html | '' {
  const success = successOf(endpoint)
  const schema = success?.content?.schema
  if (!success || !schema) return ''
  const found = resolved<Schema>(schema)
  const object = isList(found) ? (found.properties?.data?.items ?? {}) : schema
  const place = placeOf(object)
  const link = place ? html`<a href="${pathTo(site, place.page, 'en', place.anchor)}">${place.name}</a>` : 'an object'
  return html`<p class="facts">Returns ${success.status} with ${isList(found) ? 'a page of a list of ' : ''}${link}.</p>`
}

/** Lists the error codes of an endpoint, each as a link to its meaning. */
function refusals(site: Site, endpoint: DescribedEndpoint): Html | '' {
  const codes = refusedCodes(endpoint)
  if (codes.length === 0) return ''
  const common = commonCodes()
  return html`<h3>Errors</h3><p class="codes">${codes.filter((code) => !common.includes(code)).map((code) => html`${errorLink(site, code)} `)}and <a href="${pathTo(site, 'reference', 'en', 'common-errors')}">those of every endpoint</a>.</p>`
}

let common_codes: readonly ErrorCode[] | undefined

/** Returns the error codes that every endpoint can respond with. */
export function commonCodes(): readonly ErrorCode[] {
  const sets = () => resources().flatMap(({ endpoints }) => endpoints.map(refusedCodes))
  common_codes ??= sets().reduce((common, codes) => common.filter((code) => codes.includes(code)))
  return common_codes
}

/** Returns the error codes that the examples and schemas of an endpoint's other responses name. */
export function refusedCodes({ operation }: DescribedEndpoint): ErrorCode[] {
  const found = Object.entries(operation.responses ?? {})
    .filter(([status]) => /^[45]/.test(status))
    .flatMap(([, body]) => Object.entries(resolved<Body>(body).content ?? {}))
    .flatMap(([, content]) => [...codesInExamples(content), ...codesInSchema(content.schema)])
  return [...new Set(found)] as ErrorCode[]
}

const codesInExamples = (content: Content): string[] =>
  examplesOf(content).flatMap((value) => (value as { error?: { code?: string } } | undefined)?.error?.code ?? [])

function codesInSchema(schema: Schema | undefined): string[] {
  if (!schema) return []
  const error = resolved<Schema>(schema).properties?.error
  // A schema beside a reference narrows what it refers to.
  const code = error?.properties?.code ?? (error && resolved<Schema>(error).properties?.code)
  return code?.$ref ? [] : [...(code?.enum ?? []), ...(code?.const === undefined ? [] : [code.const])].map(String)
}

/** Returns the samples of an endpoint: curl, TypeScript, and the body of the request as it is sent. */
function samplesOf(site: Site, endpoint: DescribedEndpoint): Panel[] {
  const example = requestExample(endpoint)
  const filled = (text: string) => text.replaceAll('{base_url}', apiUrl(site))
  const is_json = example.body !== undefined && !example.sends_files
  return [
    { id: 'shell', name: 'curl', text: filled(requestSample(example, 'shell')) },
    { id: 'typescript', name: 'TypeScript', text: filled(requestSample(example, 'typescript')) },
    ...(is_json ? [{ id: 'json', name: 'JSON', text: jsonText(example.body) }] : []),
  ]
}

/** Returns the recorded request of an endpoint. */
export function requestExample({ method, path, operation, parameters }: DescribedEndpoint): RequestExample {
  const [type, content] = bodyOf(operation.requestBody) ?? []
  const query = parameters.flatMap(({ in: place, name, example }) =>
    place === 'query' && example !== undefined ? [[name, example as string] as const] : [],
  )
  return {
    method,
    path,
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(content && { body: type === FILES ? filesIn(content) : exampleOf(content) }),
    ...(type === FILES && { sends_files: true }),
    key: 'SECRET_KEY',
  }
}

const FILES = 'multipart/form-data'

/** Returns the fields of a form with files, each with the name of a file. */
const filesIn = (content: Content): Readonly<Record<string, string>> => {
  const { properties = {}, required = [] } = resolved<Schema>(content.schema ?? {})
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
  return Object.fromEntries((names.length > 0 ? names : ['document']).map((name) => [name, 'document.pdf']))
}

function answerExample(endpoint: DescribedEndpoint, seen: Set<string>): Html | '' {
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
