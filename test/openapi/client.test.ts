import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generate_client, use_client } from '#shared/docs/samples/client.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

const source = fileURLToPath(new URL('client', import.meta.url))
const folder = fileURLToPath(new URL('../../.build/generated-client', import.meta.url))
const bin = (name: string) => join(folder, 'node_modules/.bin', name)

/** The module of the client, which is compiled from `client/pay.ts`. */
interface Client {
  pay(base_url: string, key: string, number: string): Promise<Readonly<Record<string, unknown>>>
}

const run = promisify(execFile)

describe('a client that openapi-typescript generates', () => {
  let api: Api
  let client: Client

  beforeAll(async () => {
    api = await openApi()
    mkdirSync(folder, { recursive: true })
    cpSync(source, folder, { recursive: true })
    writeFileSync(join(folder, 'list.ts'), filled(use_client.typescript))
    if (!existsSync(bin('openapi-typescript'))) execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: folder })
    const [, generate] = filled(generate_client.shell).split('\n')
    await run('sh', ['-c', generate!], { cwd: folder })
    execFileSync(bin('tsc'), ['--project', folder])
    client = await import(pathToFileURL(join(folder, 'out/pay.js')).href)
  })
  afterAll(() => api.close())

  const filled = (text = '') => text.replaceAll('{base_url}', `${api.url}/api/v1`)

  const pay = (number: string) => client.pay(`${api.url}/api/v1`, api.test.secret_key, number)

  test('compiles and makes a payment', async () => {
    expect(await pay('4111111111111111')).toMatchObject({ resource: 'payment', status: 'captured', amount: 1000 })
  })

  test('lists the payments with the program of the documentation', async () => {
    const { body } = await api.request('GET /payments')
    const env = { ...process.env, SECRET_KEY: api.test.secret_key }
    const { stdout } = await run(process.execPath, [join(folder, 'out/list.js')], { env })
    expect(body.data.length).toBeGreaterThan(0)
    for (const { id } of body.data) expect(stdout).toContain(id)
  })

  test('returns the error of a declined payment', async () => {
    expect(await pay('4123111111111059')).toMatchObject({ code: 'card_declined' })
  })
})
