import { describe, expect, test } from 'vitest'
import { localRun } from '#shared/docs/guides/local-run.ts'
import { everyPage } from '../site.ts'

describe('localRun', () => {
  test.each([
    ['http://127.0.0.1:3911/api/v1', 'http://127.0.0.1:3911'],
    ['http://localhost:8080/api/v1', 'http://localhost:8080'],
    ['https://api.example.com/prod/api/v1', 'http://127.0.0.1:3000'],
  ])('of a page with the API at %s is %s', (base_url, address) => {
    expect(localRun(base_url)).toBe(address)
  })

  test('is the address on every page that a local run serves', async () => {
    const site = { base_url: 'http://127.0.0.1:3911', statusOf: () => 400 }
    const exported = (await everyPage(site)).flatMap(({ html }) => html.match(/export LOCAL_RUN=\S+?(?=[\s<])/g) ?? [])
    expect(exported.length).toBeGreaterThan(0)
    expect(new Set(exported)).toEqual(new Set(['export LOCAL_RUN=http://127.0.0.1:3911']))
  })
})
