import { beforeAll, expect, test } from 'vitest'
import { namesOf } from '#infra/names.ts'
import { operate } from '#infra/operate/operate.ts'
import { queueNames } from '#shared/background.ts'
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

async function say(words: string) {
  const out: string[] = []
  const terminal = { out: (line: string) => out.push(line), err: (line: string) => out.push(line), env: {} }
  const code = await operate([...words.split(' '), '--stage', stage], terminal)
  return { code, out: out.join('\n') }
}

test('an operator makes a merchant, rolls and revokes its keys, and reconciles, on AWS as on one machine', async () => {
  const made = await say('create-merchant --name Shop')
  expect(made.code).toBe(0)
  const merchant = /mer_\w+/.exec(made.out)![0]
  const listed = await say(`list-keys ${merchant}`)
  const [first, second] = listed.out.match(/key_\w+/g)!
  expect((await say(`roll-key ${first} --grace 60`)).out).toMatch(/[sp]k_test_\w+$/)
  expect((await say(`revoke-key ${second} --merchant ${merchant}`)).out).toMatch(/ends /)
  expect((await say(`list-keys ${merchant}`)).out.match(/ends /g)).toHaveLength(2)
  const reconciled = await say('reconcile')
  expect(reconciled.out).toMatch(/API keys have their credential +5 checked {2}0 violations/)
  expect(reconciled.code).toBe(0)
  expect(await say('show-payment pay_none')).toEqual({ code: 1, out: 'There is no payment pay_none.' })
  expect(await say('redrive chores')).toEqual({ code: 0, out: 'The dead-letter queue of chores is empty.' })
})
