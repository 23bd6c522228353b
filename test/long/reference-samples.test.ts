import { beforeAll, expect, test } from 'vitest'
import { example_requests } from '#infra/openapi/example-requests.ts'
import { type ExampleRequest, type ExampleStep, SHOP } from '#infra/openapi/examples/example-step.ts'
import {
  type RecordedExample,
  type RecordedService,
  type Recording,
  recordExamples,
  sendStep,
} from '#infra/openapi/recorded-examples.ts'
import { requestExample, samplesOf } from '#shared/docs/endpoint-samples.ts'
import { type RequestLanguage, request_languages, variablesOf } from '#shared/docs/reference-samples.ts'
import { type DescribedEndpoint, resources } from '#shared/docs/resources.ts'
import { statusOf } from '#shared/http/answers.ts'
import { BASE_PATH, bracedPath, type Route } from '#shared/routes.ts'
import { expectDescribedAnswer } from '#test/fixtures/described-answers.ts'
import { SamplePrograms } from './sample-programs.ts'

const endpoints = resources().flatMap((resource) => resource.endpoints)

/** The steps with an `Idempotency-Key` that an earlier step has used. Each sample has a key of its own. */
const repeated = new Set(['idempotent_replay', 'other_request_with_key'])
const scenario = example_requests.filter((step) => !('name' in step && repeated.has(step.name)))

/** The step that the reference shows for each route: the first one that succeeds. */
const shown_steps = new Map<Route, ExampleStep>()
for (const step of scenario)
  if ('route' in step && (step.status ?? 200) < 400 && !shown_steps.has(step.route)) shown_steps.set(step.route, step)

/** The sample of an endpoint for one run: with the address of the service, and with the ids of this run. */
function sampleFor(
  endpoint: DescribedEndpoint,
  language: RequestLanguage,
  request: ExampleRequest,
  { origin, shop }: RecordedService,
): string {
  const site = { base_url: origin, statusOf: (code: keyof typeof statusOf) => statusOf[code] }
  const { text } = samplesOf(site, endpoint).find(({ id }) => id === language)!
  const { body, query, sends_files } = requestExample(endpoint)
  const replaced = sends_files ? [] : replacements(body ?? query ?? {}, request.content ?? {})
  return replaced.reduce(
    (current, [from, to]) => current.replaceAll(from, to),
    text.replaceAll(`${SHOP}/webhooks`, `${shop}/webhooks`),
  )
}

/** The ids and digits in an example that differ in the request of this run. Throws if anything else differs. */
function replacements(example: unknown, request: unknown): [from: string, to: string][] {
  if (typeof example === 'string' && typeof request === 'string' && /^([a-z]+_\w+|\d+)$/.test(example))
    return example === request ? [] : [[example, request]]
  if (!example || typeof example !== 'object' || !request || typeof request !== 'object') {
    expect(String(request)).toBe(String(example))
    return []
  }
  expect(Object.keys(request).sort()).toEqual(Object.keys(example).sort())
  return Object.entries(example).flatMap(([name, inner]) =>
    replacements(inner, (request as Readonly<Record<string, unknown>>)[name]),
  )
}

/** A form has only texts, so a value of metadata that a form sets is a text. */
const asTexts = ({ name, status, body }: RecordedExample) => ({
  name,
  status,
  body: JSON.parse(JSON.stringify(body), (_, value) =>
    typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
  ),
})

/** What the steps of the scenario respond, except for the redirect, whose sample shows the address only. */
const responsesOf = ({ examples }: Recording) => examples.filter(({ status }) => status !== 302).map(asTexts)

let recorded: Recording
beforeAll(async () => {
  recorded = await recordExamples(scenario)
})

test.each(request_languages)('every sample of the reference in %s gets the recorded response', async (language) => {
  const programs = new SamplePrograms()
  const ran: string[] = []
  try {
    const recording = await recordExamples(scenario, async (step, request, service) => {
      if (shown_steps.get(step.route) !== step) return sendStep(step, request, service)
      const [method, path] = step.route.split(' ') as [string, string]
      const endpoint = endpoints.find((one) => one.method === method && one.path === bracedPath(path))!
      const { secret_key: SECRET_KEY, publishable_key: PUBLISHABLE_KEY } = service
      const ids = Array.from(variablesOf(endpoint.path), ([name, variable]) => [variable, request.params![name]!])
      if (request.file) programs.addFile(request.file.name, request.file.text)
      const text = sampleFor(endpoint, language, request, service)
      const keys = { SECRET_KEY, PUBLISHABLE_KEY, IDEMPOTENCY_KEY: `sample-${ran.length}` }
      const printed = await programs.run(language, text, { ...keys, ...Object.fromEntries(ids) })
      ran.push(`${method} ${endpoint.path}`)
      if (printed.status !== 302) {
        await expectDescribedAnswer(method, BASE_PATH + path, printed.status, JSON.parse(printed.text))
        return printed
      }
      expect(printed.text).toMatch(/^http/)
      return { ...printed, text: JSON.stringify(printed.text) }
    })
    expect(ran.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).toSorted())
    expect(responsesOf(recording)).toEqual(responsesOf(recorded))
  } finally {
    programs.close()
  }
})
