import { createHash } from 'node:crypto'
import { Broken, expectHeader, expectStatus, maybeJson } from './answers.ts'
import type { Check } from './check.ts'

/** Checks of what developers read without a key: the documentation, and the API description. */
export const docsChecks: readonly Check[] = [
  {
    what: 'the documentation opens and allows no foreign scripts',
    async run(api) {
      const page = await api.open('The documentation', `${api.service_url}/docs`)
      expectStatus(page, 200)
      expectHeader(page, ['Content-Type'], /^text\/html\b/)
      const policy = expectHeader(page, ['Content-Security-Policy'], /default-src 'none'.*frame-ancestors 'none'/)
      if (!/script-src 'sha256-/.test(policy) || /unsafe-/.test(policy))
        throw new Broken('The documentation allows foreign scripts')
      const script = /<script>(.*?)<\/script>/s.exec(page.bytes.toString())?.[1] ?? ''
      if (!policy.includes(createHash('sha256').update(script).digest('base64')))
        throw new Broken('The documentation blocks its own script')
    },
  },
  {
    what: 'the top of the host leads to the documentation',
    async run(api) {
      const [docs, top] = [`${api.service_url}/docs`, await api.open('The top of the host', `${api.service_url}/`)]
      // A local run shows a page of its own, with a link.
      if (top.status === 200) {
        const links = Array.from(
          top.bytes.toString().matchAll(/href="([^"]*)"/g),
          ([, to]) => new URL(to!, top.url).href,
        )
        if (!links.includes(docs)) throw new Broken('The top of the host has no link to the documentation')
        return
      }
      expectStatus(top, 302)
      const location = expectHeader(top, ['Location'], /^https?:/)
      if (location !== docs) throw new Broken(`The top of the host leads to ${location}, not ${docs}`)
    },
  },
  {
    what: 'the API description is OpenAPI 3.1 and names this deployment as its server',
    async run(api) {
      const reply = await api.open('The API description', `${api.service_url}/api/v1/openapi.json`)
      expectStatus(reply, 200)
      const { openapi, servers } = Object(maybeJson(reply))
      if (!/^3\.1\./.test(openapi)) throw new Broken('The API description is not OpenAPI 3.1')
      const server: unknown = Object(Array.from(servers ?? [])[0]).variables?.base_url?.default
      const url = `${api.service_url}/api/v1`
      if (server !== url) throw new Broken(`The API description names the server ${server}, not ${url}`)
    },
  },
]
