import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openLocalPlatform } from '#infra/local/local-platform.ts'
import { copyFolder, restoreFolder } from '#infra/operate/folder-copy.ts'
import { type Api, card, openApi, START } from '#test/fixtures/api.ts'
import { startLocally } from '#test/fixtures/local-run.ts'

/** Requests that each create the only sealed data in a folder. */
const sealing: [string, (api: Api) => Promise<unknown>][] = [
  ['the card of a customer', (api) => api.request('POST /customers', { json: { payment_details: card() } })],
  [
    'the secret of a webhook',
    (api) =>
      api.request('POST /webhooks', {
        json: { url: 'https://unknown.example/', event_list: ['ping'], secret_token: 'a secret' },
      }),
  ],
  [
    'the secret of a webhook of a payment',
    (api) =>
      api.request('POST /payments', {
        json: {
          ...{ amount: 1_000, currency: 'JPY', payment_details: card() },
          webhooks: [{ url: 'https://unknown.example/', secret_key: 's', events: ['payment.captured'] }],
        },
      }),
  ],
  [
    'the card of a secure token',
    (api) =>
      api.request('POST /secure_tokens', {
        json: {
          ...{ amount: 1_000, currency: 'JPY', payment_details: card() },
          return_url: 'https://shop.example.com/done',
        },
      }),
  ],
]

/** Returns a copy of a data folder in which one request was served. */
async function folderWith(request: (api: Api) => Promise<unknown>): Promise<string> {
  const api = await openApi()
  expect(await request(api)).toMatchObject({ status: 200 })
  const data_dir = mkdtempSync(join(tmpdir(), 'key-'))
  const [kept, copy] = [join(data_dir, 'kept'), join(data_dir, 'copy')]
  await copyFolder(api.data_dir, kept)
  await restoreFolder(kept, copy)
  await api.close()
  return copy
}

let whole: string
let data_dir: string
beforeAll(async () => {
  whole = await folderWith(sealing[0]![1])
})
afterAll(() => rmSync(join(whole, '..'), { recursive: true }))
beforeEach(() => {
  data_dir = mkdtempSync(join(tmpdir(), 'key-'))
  cpSync(whole, data_dir, { recursive: true })
})
afterEach(() => rmSync(data_dir, { recursive: true }))

const open = (folder = data_dir) => openLocalPlatform({ data_dir: folder, frozen_at: START }).table.close()

const replaceKey = (folder = data_dir) => writeFileSync(join(folder, 'vault.key'), randomBytes(32), { mode: 0o600 })

/** Runs SQL on the table of a folder. `forget` removes the check value, as in a folder of an older version. */
function change(sql: string, folder = data_dir): unknown {
  const database = new DatabaseSync(join(folder, 'table.sqlite'))
  const row = /^SELECT/.test(sql) ? database.prepare(sql).get() : database.exec(sql)
  database.close()
  return row
}
const forget = (folder = data_dir) => change('DROP TABLE vault_key', folder)
const kept = (folder = data_dir) =>
  (change('SELECT check_value FROM vault_key', folder) as { check_value: string }).check_value

const refusal = (folder = data_dir) =>
  `The key file ${join(folder, 'vault.key')} does not belong to the data in ${join(folder, 'table.sqlite')}: restore the previous key file, or restore both from one backup.`

describe('the vault key of a data folder', () => {
  test('opens the folder repeatedly, with the same check value', () => {
    const before = kept()
    open()
    open()
    expect(kept()).toBe(before)
    expect(before).toMatch(/^[0-9a-f]{64}$/)
    expect(before).not.toContain(readFileSync(join(data_dir, 'vault.key')).toString('hex'))
  })

  test('is refused after it is replaced, and nothing is written', () => {
    const before = [kept(), readFileSync(join(data_dir, 'table.sqlite'))]
    replaceKey()
    expect(open).toThrow(refusal())
    expect(open).toThrow(refusal())
    expect([kept(), readFileSync(join(data_dir, 'table.sqlite'))]).toEqual(before)
  })

  test('is refused if the table is that of another folder', async () => {
    const other = await openApi()
    await copyFolder(other.data_dir, join(data_dir, 'other'))
    await other.close()
    cpSync(join(data_dir, 'other', 'table.sqlite'), join(data_dir, 'table.sqlite'))
    expect(open).toThrow(refusal())
  })

  test('makes a start print one sentence and fail if the key was replaced', async () => {
    replaceKey()
    const lines: string[] = []
    await expect(startLocally(data_dir, (line) => lines.push(line))).rejects.toThrow('did not start')
    expect(lines).toEqual([refusal()])
  })

  test('is checked by backup and restore, whose copies keep the check value', async () => {
    const [copy, back] = [join(data_dir, 'copy'), join(data_dir, 'back')]
    await copyFolder(data_dir, copy)
    await restoreFolder(copy, back)
    expect([kept(copy), kept(back)]).toEqual([kept(), kept()])
    replaceKey(back)
    expect(() => open(back)).toThrow(refusal(back))
    replaceKey(copy)
    await expect(restoreFolder(copy, join(data_dir, 'broken'))).rejects.toThrow('does not belong to the data')
    replaceKey()
    await expect(copyFolder(data_dir, join(data_dir, 'worthless'))).rejects.toThrow(refusal())
    rmSync(join(data_dir, 'vault.key'))
    await expect(copyFolder(data_dir, join(data_dir, 'keyless'))).rejects.toThrow('vault.key is missing')
  })
})

describe('a folder without a check value', () => {
  test.each(sealing)('accepts the key that opens %s, and no other', async (_, request) => {
    const folder = await folderWith(request)
    forget(folder)
    const key = readFileSync(join(folder, 'vault.key'))
    replaceKey(folder)
    expect(() => open(folder)).toThrow(refusal(folder))
    writeFileSync(join(folder, 'vault.key'), key)
    open(folder)
    expect(kept(folder)).toMatch(/^[0-9a-f]{64}$/)
    replaceKey(folder)
    expect(() => open(folder)).toThrow(refusal(folder))
    rmSync(join(folder, '..'), { recursive: true })
  })

  test('accepts any key while nothing is sealed, and afterwards only that key', () => {
    forget()
    change("DELETE FROM items WHERE sk = 'card'")
    replaceKey()
    open()
    replaceKey()
    expect(open).toThrow(refusal())
  })
})
