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

/** What the command prints, and its exit code. */
async function say(words: string, data_dir = life.api.data_dir) {
  const out: string[] = []
  const err: string[] = []
  // How far the clock was turned stands in the folder.
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
  test('makes a merchant for each mode, whose keys open the door at once', async () => {
    const { code, out } = await say('create-merchant --local --name Shop')
    expect(code).toBe(0)
    expect(out).toMatch(
      /^test {2}mer_\w+ {2}sk_test_\w+ {2}pk_test_\w+\nlive {2}mer_\w+ {2}sk_live_\w+ {2}pk_live_\w+$/,
    )
    expect(await statusWith(keyOf(out))).toBe(200)
    const id = /mer_\w+/.exec(out)![0]
    const [row] = await life.api.platform.table.get([{ pk: `merchant#${id}`, sk: 'merchant' }])
    expect(row).toMatchObject({ mode: 'test', name: 'Shop', created_by: null })
  })
})

describe('operate with keys', () => {
  test('lists what a merchant has, rolls one and revokes another', async () => {
    const { out: made } = await say('create-merchant --local')
    const [, merchant, secret] = made.split('\n')[0]!.split(/ +/) as [string, string, string]
    const { out: listed } = await say(`list-keys ${merchant} --local`)
    expect(listed.split('\n')).toHaveLength(2)
    expect(listed).not.toMatch(/[sp]k_/)
    const id = /key_\w+(?= .*secret)/.exec(listed)![0]

    const rolled = await say(`roll-key ${id} --local --grace 3600 --merchant ${merchant}`)
    expect(rolled.code).toBe(0)
    const successor = keyOf(rolled.out)
    expect([await statusWith(secret), await statusWith(successor)]).toEqual([200, 200])
    expect((await say(`list-keys ${merchant} --local`)).out).toMatch(/ends /)
    expect(await say(`roll-key ${id} --local`)).toMatchObject({ code: 1, err: 'The key was ended already.' })

    const revoked = await say(`revoke-key ${id} --local`)
    expect([revoked.code, await statusWith(secret), await statusWith(successor)]).toEqual([0, 401, 200])
    const again = await say(`revoke-key ${id} --local`)
    expect(again).toEqual(revoked)
  })

  test('takes no key for its id, and no beginning that several have', async () => {
    expect(await say('revoke-key sk_test_abc --local')).toMatchObject({ code: 2 })
    expect((await say('revoke-key key_0 --local')).err).toMatch(/^\d+ keys begin with key_0\. Give more of the id\.$/)
    expect((await say('roll-key key_zzz --local')).err).toBe('There is no key key_zzz.')
    expect((await say('list-keys mer_nobody --local')).code).toBe(1)
    expect((await say(`roll-key key_0 --local --grace -1`)).code).toBe(2)
  })
})

describe('operate show-payment', () => {
  test('tells everything in order of time, and no secret', async () => {
    const { code, out } = await say(`show-payment ${life.refunded} --local`)
    expect(code).toBe(0)
    const story = out.split('\n\n')[1]!.split('\n')
    expect(story.map((line) => line.slice(0, 20))).toEqual(story.map((line) => line.slice(0, 20)).toSorted())
    const events = story.flatMap((line) => /event (payment\.\S+)/.exec(line)?.[1] ?? [])
    expect(events).toEqual(await eventTypesOf(life.api, life.refunded))
    for (const said of [/charge 1 of 1000 sent as pay_/, /refund \d of 400 .*: done/, /refund \d of 600 .*: done/])
      expect(out).toMatch(said)
    expect(story.filter((line) => /delivery of payment\.\S+ to whk_\w+ dlv_\w+: delivered$/.test(line))).toHaveLength(3)
    expect(story.filter((line) => /attempt 1 of dlv_\w+: 200 in \d+ ms$/.test(line))).toHaveLength(3)
    expect(out).toMatch(/status +refunded/)
    expect(out).not.toMatch(/4111 ?1111|secret|@/m)
  })

  test('finds the payment of a subscription with whose it is, and none of another merchant', async () => {
    const { body } = await life.api.request(`GET /subscriptions/${life.subscription}`)
    const shown = await say(`show-payment ${body.payments[0]} --local --merchant ${life.api.test.id}`)
    expect(shown.out).toMatch(new RegExp(`subscription +${life.subscription}`))
    expect(shown.out).toMatch(new RegExp(`customer +${life.customer}`))
    const other = await say(`show-payment ${life.paid} --local --merchant ${life.api.live.id}`)
    expect(other).toEqual({ code: 1, out: '', err: `There is no payment ${life.paid}.` })
  })
})

describe('operate with refund requests', () => {
  test('completes one, once, and the receivers hear of it', async () => {
    const done = await say(`complete-refund-request ${life.refund_request} --local`)
    expect(done.out).toMatch(/^rrq_\w+ is completed: pay_\w+ has refunded 500 of 1190 JPY$/)
    expect(await say(`complete-refund-request ${life.refund_request} --local`)).toEqual(done)
    expect(await say(`reject-refund-request ${life.refund_request} --local`)).toMatchObject({
      code: 1,
      err: 'The refund request is completed already.',
    })
    const payment = /pay_\w+/.exec(done.out)![0]
    expect(await eventTypesOf(life.api, payment)).toContain('payment.refund.created')
    const before = life.receiver.received.length
    await life.api.advance(180)
    const told = life.receiver.received.slice(before).map(({ headers }) => headers['x-service-event'])
    expect(told).toEqual(['payment.refund.created'])
  })

  test('says so when there is none', async () => {
    expect(await say('reject-refund-request rrq_none --local')).toEqual({
      ...{ code: 1, out: '' },
      err: 'There is no refund request rrq_none.',
    })
  })
})

describe('operate reconcile', () => {
  test('counts what it checked, and exits with 1 and the ids when something is wrong', async () => {
    const healthy = await say('reconcile --local')
    expect(healthy.err).toBe('')
    expect(healthy.code).toBe(0)
    expect(healthy.out).toMatch(/^the refunds of a payment add up +\d+ checked {2}0 violations$/m)
    const { table } = life.api.platform
    const entry = { pk: `list#payment#${life.api.test.id}`, sk: life.paid }
    const [before] = await table.get([entry])
    await table.write([{ delete: entry }])
    const broken = await say('reconcile --local')
    expect(broken.code).toBe(1)
    expect(broken.out).toMatch(new RegExp(`: ${life.paid} lacks 1 of its list entries`))
    await table.write([{ put: before! }])
  })
})

describe('operate redrive', () => {
  test('has nothing to do on one machine', async () => {
    expect((await say('redrive captures --local')).out).toMatch(/^A local run has no dead-letter queues/)
    expect((await say('redrive other --local')).code).toBe(2)
  })
})

describe('operate backup and restore', () => {
  test('copy a folder in use, and bring it back with everything that its key opens', async () => {
    const parts = new FormData()
    parts.set('paper', new File([Buffer.from('%PDF-1.4 a paper')], 'a.pdf'))
    const { body: file } = await life.api.request('POST /files', { parts })
    const [copy, back] = [join(folder, 'copy'), join(folder, 'back')]
    const kept = await say(`backup --local --to ${copy}`)
    const count = [...life.api.platform.table.items()].length
    expect([kept.code, kept.out]).toEqual([
      0,
      `${count} items and their files are copied to ${copy}, with the key that decrypts them.`,
    ])
    expect(statSync(copy).mode & 0o077).toBe(0)

    expect((await say(`restore --local --from ${copy}`, back)).code).toBe(0)
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

  test('overwrite nothing, and take nothing for a backup that is none', async () => {
    const copy = join(folder, 'once')
    expect((await say(`backup --local --to ${copy}`)).code).toBe(0)
    const before = readdirSync(copy)
    expect((await say(`backup --local --to ${copy}`)).err).toMatch(/is not empty, and nothing is overwritten\.$/)
    expect(readdirSync(copy)).toEqual(before)
    expect((await say(`restore --local --from ${copy}`)).err).toMatch(/is not empty, and nothing is overwritten\.$/)
    expect((await say(`restore --local --from ${folder}`, join(folder, 'new'))).err).toMatch(/holds no backup/)
    expect((await say('backup --local')).code).toBe(2)
    expect((await say('restore --local')).code).toBe(2)
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
  ])('answers 2 and one sentence to: %s', async (words, sentence) => {
    const { code, out, err } = await say(words)
    expect([code, out, err.split('\n')[0]]).toEqual([2, '', sentence])
    expect(err).toMatch(/\nSee: npm run operate -- .*--help$/)
  })

  test('tells of every verb what it does, and how it is called', async () => {
    const { code, out } = await say('--help')
    expect(code).toBe(0)
    for (const [name, verb] of Object.entries(verbs)) {
      expect(out).toContain(`  ${[name, ...verb.args].join(' ')}`)
      const help = await say(`${name} --help`)
      expect(help.code).toBe(0)
      for (const option of Object.keys(verb.options ?? {})) expect(help.out).toContain(`--${option}`)
    }
  })

  test('makes no data folder where there is none', async () => {
    const missing = join(folder, 'missing')
    const { code, err } = await say('reconcile --local', missing)
    expect([code, err]).toEqual([1, `There is no data in ${missing}. Name the folder with --data-dir.`])
    expect(readdirSync(folder)).not.toContain('missing')
  })
})
