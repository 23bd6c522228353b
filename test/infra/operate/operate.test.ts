import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLocalPlatform } from '#infra/local/local-platform.ts'
import { operate } from '#infra/operate/operate.ts'
import { openFolder } from '#infra/operate/place.ts'
import { verbs } from '#infra/operate/verbs.ts'
import { eventTypesOf } from '#test/faults/witness.ts'
import { START } from '#test/fixtures/api.ts'
import { openUsedService, type UsedService } from '#test/fixtures/used-service.ts'

let life: UsedService
let folder: string
beforeAll(async () => {
  life = await openUsedService()
  folder = mkdtempSync(join(tmpdir(), 'operate-'))
})
afterAll(async () => {
  await life.close()
  rmSync(folder, { recursive: true })
})

/** Runs the command. Returns what it prints and its exit code. */
async function runCommand(words: string, data_dir = life.api.data_dir) {
  const out: string[] = []
  const err: string[] = []
  // The folder stores how far the clock was advanced.
  const openAtItsTime = (dir: string) => openFolder(dir, START)
  const terminal = {
    openFolder: openAtItsTime,
    out: (line: string) => out.push(line),
    err: (line: string) => err.push(line),
  }
  const code = await operate(words.split(' '), { ...terminal, env: { DATA_DIR: data_dir } })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

const keyOf = (text: string) => /\b[sp]k_(?:test|live)_\w+/.exec(text)![0]

const statusWith = async (key: string) => (await life.api.request('GET /payments', { key })).status

describe('operate create-merchant', () => {
  test('creates a merchant with keys for each mode, and the test key works at once', async () => {
    const { code, out } = await runCommand('create-merchant --local --name Shop')
    expect(code).toBe(0)
    expect(out).toMatch(
      /^test {2}mer_\w+ {2}sk_test_\w+ {2}pk_test_\w+\nlive {2}mer_\w+ {2}sk_live_\w+ {2}pk_live_\w+\naccount {2}acc_\w+$/,
    )
    expect(await statusWith(keyOf(out))).toBe(200)
    const id = /mer_\w+/.exec(out)![0]
    const [row] = await life.api.platform.table.get([{ pk: `merchant#${id}`, sk: 'merchant' }])
    expect(row).toMatchObject({ mode: 'test', name: 'Shop', created_by: null })
  })
})

describe('operate backfill-accounts', () => {
  test('stores the account of a merchant that an older version created, once', async () => {
    const { out } = await runCommand('create-merchant --local --name Old')
    const account = /acc_\w+/.exec(out)![0]
    await life.api.platform.table.write([{ delete: { pk: `account#${account}#${account}`, sk: 'account' } }])
    expect(await runCommand('backfill-accounts --local')).toMatchObject({ code: 0, out: '2 records were stored.' })
    expect(await runCommand('backfill-accounts --local')).toMatchObject({ code: 0, out: '0 records were stored.' })
    const { body } = await life.api.request(`GET /accounts/${account}`, { key: keyOf(out) })
    expect(body).toMatchObject({ name: 'Old', test_merchant: /mer_\w+/.exec(out)![0] })
  })
})

describe('operate list-keys, roll-key and revoke-key', () => {
  test('list the keys of a merchant, roll one with a grace period and revoke the old one', async () => {
    const { out: made } = await runCommand('create-merchant --local')
    const [, merchant, secret] = made.split('\n')[0]!.split(/ +/) as [string, string, string]
    const { out: listed } = await runCommand(`list-keys ${merchant} --local`)
    expect(listed.split('\n')).toHaveLength(2)
    expect(listed).not.toMatch(/[sp]k_/)
    const id = /key_\w+(?= .*secret)/.exec(listed)![0]

    const rolled = await runCommand(`roll-key ${id} --local --grace 3600 --merchant ${merchant}`)
    expect(rolled.code).toBe(0)
    const successor = keyOf(rolled.out)
    expect([await statusWith(secret), await statusWith(successor)]).toEqual([200, 200])
    expect((await runCommand(`list-keys ${merchant} --local`)).out).toMatch(/ends /)
    expect(await runCommand(`roll-key ${id} --local`)).toMatchObject({
      code: 1,
      err: 'The key was ended already. Create another key.',
    })

    const revoked = await runCommand(`revoke-key ${id} --local`)
    expect([revoked.code, await statusWith(secret), await statusWith(successor)]).toEqual([0, 401, 200])
    const again = await runCommand(`revoke-key ${id} --local`)
    expect(again).toEqual(revoked)
  })

  test('refuse a key instead of its id, ambiguous and unknown ids, and a negative grace period', async () => {
    expect(await runCommand('revoke-key sk_test_abc --local')).toMatchObject({ code: 2 })
    expect((await runCommand('revoke-key key_0 --local')).err).toMatch(
      /^\d+ keys begin with key_0\. Give more of the id\.$/,
    )
    expect((await runCommand('roll-key key_zzz --local')).err).toBe('There is no key key_zzz.')
    expect((await runCommand('list-keys mer_nobody --local')).code).toBe(1)
    expect((await runCommand(`roll-key key_0 --local --grace -1`)).code).toBe(2)
  })
})

describe('operate show-payment', () => {
  test('prints operations, events and deliveries in order of time, and no secret', async () => {
    const { code, out } = await runCommand(`show-payment ${life.refunded} --local`)
    expect(code).toBe(0)
    const timeline = out.split('\n\n')[1]!.split('\n')
    expect(timeline.map((line) => line.slice(0, 20))).toEqual(timeline.map((line) => line.slice(0, 20)).toSorted())
    const events = timeline.flatMap((line) => /event (payment\.\S+)/.exec(line)?.[1] ?? [])
    expect(events).toEqual(await eventTypesOf(life.api, life.refunded))
    for (const line_pattern of [
      /charge 1 of 1000 sent as pay_/,
      /refund \d of 400 .*: done/,
      /refund \d of 600 .*: done/,
    ])
      expect(out).toMatch(line_pattern)
    expect(
      timeline.filter((line) => /delivery of payment\.\S+ to whk_\w+ dlv_\w+: delivered$/.test(line)),
    ).toHaveLength(3)
    expect(timeline.filter((line) => /attempt 1 of dlv_\w+: 200 in \d+ ms$/.test(line))).toHaveLength(3)
    expect(out).toMatch(/status +refunded/)
    expect(out).not.toMatch(/4111 ?1111|secret|@/m)
  })

  test('prints the subscription and the customer of a payment, and finds no payment of another merchant', async () => {
    const { body } = await life.api.request(`GET /subscriptions/${life.subscription}`)
    const shown = await runCommand(`show-payment ${body.payments[0]} --local --merchant ${life.api.test.id}`)
    expect(shown.out).toMatch(new RegExp(`subscription +${life.subscription}`))
    expect(shown.out).toMatch(new RegExp(`customer +${life.customer}`))
    const other = await runCommand(`show-payment ${life.paid} --local --merchant ${life.api.live.id}`)
    expect(other).toEqual({ code: 1, out: '', err: `There is no payment ${life.paid}.` })
  })
})

describe('operate complete-refund-request and reject-refund-request', () => {
  test('complete a refund request once and deliver its event', async () => {
    const done = await runCommand(`complete-refund-request ${life.refund_request} --local`)
    expect(done.out).toMatch(/^rrq_\w+ is completed: pay_\w+ has refunded 500 of 1190 JPY$/)
    expect(await runCommand(`complete-refund-request ${life.refund_request} --local`)).toEqual(done)
    expect(await runCommand(`reject-refund-request ${life.refund_request} --local`)).toMatchObject({
      code: 1,
      err: 'The refund request is completed already.',
    })
    const payment = /pay_\w+/.exec(done.out)![0]
    expect(await eventTypesOf(life.api, payment)).toContain('payment.refund.created')
    const before = life.receiver.received.length
    await life.api.advance(180)
    const delivered = life.receiver.received.slice(before).map(({ headers }) => headers['x-service-event'])
    expect(delivered).toEqual(['payment.refund.created'])
  })

  test('report an unknown refund request', async () => {
    expect(await runCommand('reject-refund-request rrq_none --local')).toEqual({
      ...{ code: 1, out: '' },
      err: 'There is no refund request rrq_none.',
    })
  })
})

describe('operate reconcile', () => {
  test('prints how much it checked, and for an inconsistent record prints the id and exits with 1', async () => {
    const consistent = await runCommand('reconcile --local')
    expect(consistent.err).toBe('')
    expect(consistent.code).toBe(0)
    expect(consistent.out).toMatch(/^the refunds of a payment add up +\d+ checked {2}0 violations$/m)
    const { table } = life.api.platform
    const entry = { pk: `list#payment#${life.api.test.id}`, sk: life.paid }
    const [before] = await table.get([entry])
    await table.write([{ delete: entry }])
    const inconsistent = await runCommand('reconcile --local')
    expect(inconsistent.code).toBe(1)
    expect(inconsistent.out).toMatch(new RegExp(`: ${life.paid} lacks 1 of its list entries`))
    await table.write([{ put: before! }])
  })
})

describe('operate redrive', () => {
  test('reports that a local run has no dead letters, and refuses an unknown queue', async () => {
    expect((await runCommand('redrive captures --local')).out).toMatch(/^A local run has no dead-letter queues/)
    expect((await runCommand('redrive other --local')).code).toBe(2)
  })
})

describe('operate backup and restore', () => {
  test('copy a folder in use and restore its items and its encrypted files', async () => {
    const parts = new FormData()
    parts.set('paper', new File([Buffer.from('%PDF-1.4 a paper')], 'a.pdf'))
    const { body: file } = await life.api.request('POST /files', { parts })
    const [copy, back] = [join(folder, 'copy'), join(folder, 'back')]
    const kept = await runCommand(`backup --local --to ${copy}`)
    const count = [...life.api.platform.table.items()].length
    expect([kept.code, kept.out]).toEqual([
      0,
      `${count} items and their files are copied to ${copy}, with the key that decrypts them.`,
    ])
    expect(statSync(copy).mode & 0o077).toBe(0)

    expect((await runCommand(`restore --local --from ${copy}`, back)).code).toBe(0)
    const restored = openLocalPlatform({ data_dir: back })
    expect([...restored.table.items()]).toEqual([...life.api.platform.table.items()])
    const link = await restored.bucket.link(`${life.api.test.id}/${file.id}`, {
      ...{ content_disposition: 'inline', content_type: 'application/pdf', seconds: 60 },
    })
    const { pathname, searchParams } = new URL(link, 'http://localhost')
    const found = await restored.bucket.follow(pathname.replace('/_local/files/', ''), searchParams)
    expect(found?.bytes.toString()).toBe('%PDF-1.4 a paper')
    restored.table.close()
  })

  test('refuse to overwrite a folder and to restore from a folder without a backup', async () => {
    const copy = join(folder, 'once')
    expect((await runCommand(`backup --local --to ${copy}`)).code).toBe(0)
    const before = readdirSync(copy)
    expect((await runCommand(`backup --local --to ${copy}`)).err).toMatch(/is not empty, and nothing is overwritten\.$/)
    expect(readdirSync(copy)).toEqual(before)
    expect((await runCommand(`restore --local --from ${copy}`)).err).toMatch(
      /is not empty, and nothing is overwritten\.$/,
    )
    expect((await runCommand(`restore --local --from ${folder}`, join(folder, 'new'))).err).toMatch(/holds no backup/)
    expect((await runCommand('backup --local')).code).toBe(2)
    expect((await runCommand('restore --local')).code).toBe(2)
  })
})

describe('operate', () => {
  test.each([
    ['nonsense --local', 'There is no command "nonsense".'],
    ['constructor --local', 'There is no command "constructor".'],
    ['reconcile', 'Choose a place: --stage <stage>, or --local.'],
    ['reconcile --local --stage dev', 'Choose a place: --stage <stage>, or --local.'],
    ['reconcile --stage Dev!', '"Dev!" is not a valid name of a stage.'],
    ['reconcile --local --bogus', "Unknown option '--bogus'."],
    ['reconcile more --local', 'The arguments of this command: none.'],
    ['show-payment --local', 'The arguments of this command: <payment>.'],
    ['reconcile --local --table other', '--table can be used only with --stage.'],
  ])('exits with 2 and prints one sentence for: %s', async (words, sentence) => {
    const { code, out, err } = await runCommand(words)
    expect([code, out, err.split('\n')[0]]).toEqual([2, '', sentence])
    expect(err).toMatch(/\nSee: npm run operate -- .*--help$/)
  })

  test('prints the arguments and the options of every verb', async () => {
    const { code, out } = await runCommand('--help')
    expect(code).toBe(0)
    for (const [name, verb] of Object.entries(verbs)) {
      expect(out).toContain(`  ${[name, ...verb.args].join(' ')}`)
      const help = await runCommand(`${name} --help`)
      expect(help.code).toBe(0)
      for (const option of Object.keys(verb.options ?? {})) expect(help.out).toContain(`--${option}`)
    }
  })

  test('does not create a missing data folder', async () => {
    const missing = join(folder, 'missing')
    const { code, err } = await runCommand('reconcile --local', missing)
    expect([code, err]).toEqual([1, `There is no data in ${missing}. Name the folder with --data-dir.`])
    expect(readdirSync(folder)).not.toContain('missing')
  })
})
