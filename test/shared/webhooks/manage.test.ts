import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { timestamp } from '#shared/domain/timestamp.ts'
import { changed, removed } from '#shared/store/change.ts'
import { openText } from '#shared/store/sealed.ts'
import { webhooks } from '#shared/store/webhooks.ts'
import {
  recovering,
  refuseFuture,
  refuseOneMore,
  refuseUnreachable,
  rotatedSecret,
  sealedSecret,
  WEBHOOKS_MAX,
} from '#shared/webhooks/manage.ts'
import { START } from '#test/support/api.ts'
import { deliveryRecord, webhookRecord } from '#test/support/delivery-record.ts'
import { refused } from '#test/support/payment-record.ts'
import { openWorking, type Working } from '#test/support/working.ts'

let working: Working
beforeAll(async () => {
  working = await openWorking()
})
afterAll(() => working.close())

describe('a secret', () => {
  test('is sealed for its webhook; none is null', async () => {
    const work = working.work()
    const secret = await sealedSecret(work, 'whk_1', 's3cret')
    expect(secret!.previous).toBeNull()
    expect(await openText(work, 'webhook_secret', 'whk_1', secret!.sealed)).toBe('s3cret')
    for (const none of ['', null, undefined]) expect(await sealedSecret(work, 'whk_1', none)).toBeNull()
  })

  test('that is rotated stays valid for the whole grace time, to the end of its last second', async () => {
    const work = working.work()
    const before = webhookRecord({ secret: { sealed: 'old', previous: { sealed: 'older', until: timestamp(START) } } })
    const rotate = (grace_seconds: number) => rotatedSecret(work, before, { secret_token: 'new', grace_seconds })
    const next = await rotate(60)
    expect(await openText(work, 'webhook_secret', 'whk_1', next.sealed)).toBe('new')
    expect(next.previous).toEqual({ sealed: 'old', until: timestamp(START + 60_000) })
    expect((await rotate(0)).previous).toBeNull()
    working.platform.clock.turnTo(START + 1)
    expect((await rotate(60)).previous!.until).toBe(timestamp(START + 61_000))
    expect((await rotatedSecret(work, webhookRecord(), { secret_token: 'new', grace_seconds: 60 })).previous).toBeNull()
  })
})

test('one more webhook is refused where there are as many as may be', async () => {
  const [work, other] = [working.work({ merchant: 'mer_many' }), working.work({ merchant: 'mer_other' })]
  const made = Array.from({ length: WEBHOOKS_MAX }, () => webhookRecord({ id: work.newId('webhook'), version: 0 }))
  for (const each of made.slice(1)) await work.commit([changed(webhooks, each)])
  await refuseOneMore(work)
  await work.commit([changed(webhooks, made[0]!)])
  await expect(refuseOneMore(work)).rejects.toMatchObject({ code: 'unprocessable_entity' })
  await refuseOneMore(other)
  await work.commit([removed(webhooks, { ...made[0]!, version: 1 })])
  await refuseOneMore(work)
})

describe('a recovery', () => {
  test('is of what failed since a time that has come', () => {
    expect(refused(() => refuseFuture(START + 1, START))).toEqual({ code: 'invalid_parameter', param: 'since' })
    refuseFuture(START, START)
  })

  test('begins at once, from the oldest delivery on', () => {
    const webhook = webhookRecord()
    expect(recovering(webhook, START - 500, START)).toEqual({
      ...webhook,
      recovery: { since: timestamp(START - 1_000), next: null, due_at: timestamp(START) },
    })
  })

  test.each([
    ['an earlier time', -3_600_000, -7_200_000],
    ['a later time', -7_200_000, -3_600_000],
  ])('that is asked for while another one of %s is at work does what is left of both', (_, first, second) => {
    const begun = recovering(webhookRecord(), START + first, START - 60_000)
    const halfway = { ...begun, recovery: { ...begun.recovery!, next: 'dlv_50' } }
    expect(recovering(halfway, START + second, START).recovery).toEqual({
      since: timestamp(START - 7_200_000),
      next: null,
      due_at: timestamp(START),
    })
  })

  test('is refused for a webhook that is switched off', () => {
    const off = webhookRecord({ active: false })
    expect(refused(() => recovering(off, START, START))).toEqual({ code: 'unprocessable_entity', param: null })
  })
})

test('what cannot be reached is not delivered anew', async () => {
  const work = working.work()
  const [on, off] = [work.newId('webhook'), work.newId('webhook')]
  await work.commit([
    changed(webhooks, webhookRecord({ id: on, version: 0 })),
    changed(webhooks, webhookRecord({ id: off, version: 0, active: false })),
  ])
  const message = async (webhook: string) =>
    refuseUnreachable(work, deliveryRecord({ webhook })).then(
      () => null,
      ({ code, message }) => `${code}: ${message}`,
    )
  expect(await message(on)).toBeNull()
  expect(await message(off)).toBe('unprocessable_entity: The webhook is not active.')
  expect(await message('whk_gone')).toBe('unprocessable_entity: The webhook is deleted.')
})
