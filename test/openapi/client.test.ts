import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DOCUMENT_FILE } from '#infra/openapi/document-file.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

const source = fileURLToPath(new URL('client', import.meta.url))
const folder = fileURLToPath(new URL('../../.build/generated-client', import.meta.url))
const bin = (name: string) => join(folder, 'node_modules/.bin', name)

/** The module of the client, which is compiled from `client/pay.ts`. */
interface Client {
  pay(base_url: string, key: string, number: string): Promise<Readonly<Record<string, unknown>>>
}

describe('a client that openapi-typescript generates', () => {
  let api: Api
  let client: Client

  beforeAll(async () => {
    api = await openApi()
    mkdirSync(folder, { recursive: true })
    cpSync(source, folder, { recursive: true })
    if (!existsSync(bin('openapi-typescript'))) execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: folder })
    execFileSync(bin('openapi-typescript'), [DOCUMENT_FILE, '--output', join(folder, 'api.d.ts')])
    execFileSync(bin('tsc'), ['--project', folder])
    client = await import(pathToFileURL(join(folder, 'out/pay.js')).href)
  })
  afterAll(() => api.close())

  const pay = (number: string) => client.pay(`${api.url}/api/v1`, api.test.secret_key, number)

  test('compiles and makes a payment', async () => {
    expect(await pay('4111111111111111')).toMatchObject({ resource: 'payment', status: 'captured', amount: 1000 })
  })

  test('returns the error of a declined payment', async () => {
    expect(await pay('4123111111111059')).toMatchObject({ code: 'card_declined' })
  })
})
