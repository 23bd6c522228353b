import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { namesOf } from '#infra/names.ts'
import { operate } from '#infra/operate/operate.ts'
import { openStage } from '#infra/operate/place.ts'
import { queueNames } from '#shared/background.ts'
import { newRecord } from '#shared/domain/application.ts'
import { ownerOf } from '#shared/platform/aws/operating.ts'
import { s3Bucket } from '#shared/platform/aws/s3-bucket.ts'
import { applicationRecords, applications } from '#shared/store/applications.ts'
import { changed } from '#shared/store/change.ts'
import { storeFile } from '#shared/store/files.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { createBucket, createQueue, createTable } from '#test/fixtures/moto.ts'

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

test('an operator finds a submitted application and saves a document of it on AWS', async () => {
  const merchant = /^live +(mer_\w+)/m.exec((await run('create-merchant')).out)![1]!
  const { account, region } = await ownerOf(names.table)
  const bucket = s3Bucket(await createBucket(names.filesBucket(account, region)))
  const { platform } = await openStage(stage)
  const work = new UnitOfWork({ platform: { ...platform, bucket }, merchant, mode: 'live' })
  const paper = { filename: 'paper.pdf', mime_type: 'application/pdf', bytes: Buffer.from('%PDF-1.4') } as const
  const { changes, answer: file } = await storeFile(work, paper)
  const submitted_at = '2030-01-02T03:00:00Z'
  const record = newRecord('personal_information', null, Date.parse(submitted_at))
  await work.commit([
    ...changes,
    changed(applications, { version: 0, status: 'pending', submitted_at }),
    changed(applicationRecords, { ...record, fields: { identity_front: file.id } }),
  ])
  expect((await run('application list --status submitted')).out).toBe(`${merchant}  submitted  ${submitted_at}`)
  expect((await run(`application show ${merchant}`)).out).toContain(`${file.id}  application/pdf  8 bytes  "paper.pdf"`)
  const folder = mkdtempSync(join(tmpdir(), 'documents-'))
  const to = join(folder, 'paper.pdf')
  const saved = await run(`application document ${merchant} ${file.id} --to ${to}`)
  const text = saved.code === 0 ? readFileSync(to, 'utf8') : saved.out
  rmSync(folder, { recursive: true })
  expect(text).toBe('%PDF-1.4')
})
