import { beforeAll, expect, test } from 'vitest'
import { namesOf } from '#infra/names.ts'
import { operate } from '#infra/operate/operate.ts'
import { openStage } from '#infra/operate/place.ts'
import { queueNames } from '#shared/background.ts'
import { newRecord } from '#shared/domain/application.ts'
import { applicationRecords, applications } from '#shared/store/applications.ts'
import { changed } from '#shared/store/change.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { createQueue, createTable } from '#test/fixtures/moto.ts'

const stage = 'operated'
const names = namesOf(stage)

beforeAll(async () => {
  await createTable(names.table)
  for (const queue of queueNames) {
    await createQueue(names.queue(queue))
    await createQueue(names.deadLetters(queue))
  }
})

async function run(command_line: string) {
  const out: string[] = []
  const terminal = { out: (line: string) => out.push(line), err: (line: string) => out.push(line), env: {} }
  const code = await operate([...command_line.split(' '), '--stage', stage], terminal)
  return { code, out: out.join('\n') }
}

test('an operator creates a merchant, rolls and revokes its keys, and reconciles the table on AWS', async () => {
  const made = await run('create-merchant --name Shop')
  expect(made.code).toBe(0)
  const merchant = /mer_\w+/.exec(made.out)![0]
  const listed = await run(`list-keys ${merchant}`)
  const [first, second] = listed.out.match(/key_\w+/g)!
  expect((await run(`roll-key ${first} --grace 60`)).out).toMatch(/[sp]k_test_\w+$/)
  expect((await run(`revoke-key ${second} --merchant ${merchant}`)).out).toMatch(/ends /)
  expect((await run(`list-keys ${merchant}`)).out.match(/ends /g)).toHaveLength(2)
  const reconciled = await run('reconcile')
  expect(reconciled.out).toMatch(/API keys have their credential +5 checked {2}0 violations/)
  expect(reconciled.code).toBe(0)
  expect(await run('show-payment pay_none')).toEqual({ code: 1, out: 'There is no payment pay_none.' })
  expect(await run('redrive chores')).toEqual({ code: 0, out: 'The dead-letter queue of chores is empty.' })
})

test('an operator rejects and approves a submitted application on AWS', async () => {
  const merchant = /^live +(mer_\w+)/m.exec((await run('create-merchant')).out)![1]!
  expect((await run(`application approve ${merchant}`)).out).toMatch(/^The application is not submitted/)
  const { platform } = await openStage(stage)
  const work = new UnitOfWork({ platform, merchant, mode: 'live' })
  const submitted_at = '2030-01-02T03:00:00Z'
  const record = newRecord('site_information', null, Date.parse(submitted_at))
  await work.commit([
    changed(applications, { version: 0, status: 'pending', submitted_at }),
    changed(applicationRecords, { ...record, fields: { site_name: 'Shop' } }),
  ])
  expect(await run(`application reject ${merchant} --reason Closed`)).toMatchObject({ code: 0 })
  expect((await run(`application show ${merchant}`)).out).toMatch(/^rejection_reason +Closed$/m)
  for (const _ of ['first', 'repeated'])
    expect(await run(`application approve ${merchant}`)).toEqual({ code: 0, out: `${merchant} is approved.` })
  const { out } = await run(`application show ${merchant}`)
  expect(out).toMatch(/^status +approved$/m)
  expect(out).toMatch(/^site_information {2}approved .*\n {2}site_name {2}"Shop"$/m)
})
