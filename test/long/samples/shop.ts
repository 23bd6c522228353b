import { afterAll, beforeAll, expect } from 'vitest'
import type { Sample, SampleLanguage } from '#shared/docs/sample.ts'
import { type Api, card, openApi, type Reply, type RequestOptions } from '#test/fixtures/api.ts'
import { runSample } from '#test/fixtures/sample-runner.ts'

/** A merchant of its own who runs samples with its test keys. */
export interface Shop {
  readonly url: string
  readonly publishable_key: string
  request(route: string, options?: RequestOptions): Promise<Reply>
  /** Creates a token for a card number. */
  token(number?: string): Promise<string>
  /** Runs a sample and returns what it prints. `env` adds to the keys and to `LOCAL_RUN`. */
  run(sample: Sample, language: SampleLanguage, env?: Readonly<Record<string, string>>): Promise<string>
  /** Runs the shell version of a sample and returns the JSON that it prints. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  json(sample: Sample, env?: Readonly<Record<string, string>>): Promise<any>
  /** Posts a decision to a page of the sandbox, as the button of the page does. */
  decide(page_url: string, decision: string): Promise<void>
}

/** Opens a service for the tests of a file. Returns a function that creates a shop. */
export function useShops(): () => Promise<Shop> {
  let api: Api
  beforeAll(async () => {
    api = await openApi()
  })
  afterAll(() => api.close())
  return async () => shopOf(api, (await api.newMerchants()).test)
}

function shopOf(api: Api, { secret_key, publishable_key }: Api['test']): Shop {
  const request = (route: string, options: RequestOptions = {}) => api.request(route, { key: secret_key, ...options })
  const run: Shop['run'] = (sample, language, env = {}) =>
    runSample(sample, language, {
      base_url: `${api.url}/api/v1`,
      env: { SECRET_KEY: secret_key, PUBLISHABLE_KEY: publishable_key, LOCAL_RUN: api.url, ...env },
    })
  return {
    url: api.url,
    publishable_key,
    request,
    async token(number) {
      const { body } = await request('POST /tokens', { json: { payment_details: card(number) } })
      return body.id
    },
    run,
    json: async (sample, env) => JSON.parse(await run(sample, 'shell', env)),
    async decide(page_url, decision) {
      const body = new URLSearchParams({ decision })
      const response = await fetch(page_url, { method: 'POST', headers: { origin: api.url }, body, redirect: 'manual' })
      expect(response.status).toBe(303)
    },
  }
}

/**
 * Expects a body to have every field of an excerpt, the JSON that a guide shows. A text that ends with `…` in the
 * excerpt is the beginning of the text in the body.
 */
export function expectExcerpt(body: unknown, excerpt: string): void {
  const expected = JSON.parse(excerpt, (_, value) =>
    typeof value === 'string' && value.endsWith('…')
      ? expect.stringMatching(new RegExp(`^${RegExp.escape(value.slice(0, -1))}`))
      : value,
  )
  expect(body).toMatchObject(expected)
}
