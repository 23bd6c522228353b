import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openText } from '#shared/crypto/sealed-text.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { WEBHOOKS_MAX, type Webhook } from '#shared/domain/webhook.ts'
import { WriteConflict } from '#shared/platform/ports.ts'
import { changed, removed } from '#shared/store/change.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { webhookList, webhooks } from '#shared/store/webhooks.ts'
import {
  recovering,
  refuseFuture,
  refuseUnreachable,
  rotatedSecret,
  sealedSecret,
  takeSlot,
} from '#shared/webhooks/manage.ts'
import { type Api, openApi, START } from '#test/fixtures/api.ts'
import { deliveryRecord, webhookRecord } from '#test/fixtures/records.ts'
import { refused } from '#test/fixtures/refusals.ts'

let service: Api
beforeAll(async () => {
  service = await openApi()
})
afterAll(() => service.close())

describe('a secret', () => {
  test('is sealed for its webhook; none is null', async () => {
    const work = service.work()
    const secret = await sealedSecret(work, 'whk_1', 's3cret')
    expect(secret!.previous).toBeNull()
    expect(await openText(work, 'webhook_secret', 'whk_1', secret!.sealed)).toBe('s3cret')
    for (const none of ['', null, undefined]) expect(await sealedSecret(work, 'whk_1', none)).toBeNull()
  })

  test('that is rotated stays valid for the whole grace time, to the end of its last second', async () => {
    const work = service.work()
    const before = webhookRecord({ secret: { sealed: 'old', previous: { sealed: 'older', until: timestamp(START) } } })
    const rotate = (grace_seconds: number) => rotatedSecret(work, before, { secret_token: 'new', grace_seconds })
    const next = await rotate(60)
    expect(await openText(work, 'webhook_secret', 'whk_1', next.sealed)).toBe('new')
    expect(next.previous).toEqual({ sealed: 'old', until: timestamp(START + 60_000) })
    expect((await rotate(0)).previous).toBeNull()
    service.platform.clock.turnTo(START + 1)
    expect((await rotate(60)).previous!.until).toBe(timestamp(START + 61_000))
    expect((await rotatedSecret(work, webhookRecord(), { secret_token: 'new', grace_seconds: 60 })).previous).toBeNull()
  })
})

describe('a slot for a new webhook', () => {
  let merchants = 0
  const newMerchant = () => `mer_${++merchants}`

  /** Commits a webhook, in a slot that is taken for it. */
  async function create(work: UnitOfWork): Promise<Webhook> {
    const id = work.newId('webhook')
    const { slot, changes } = await takeSlot(work, id)
    const made = webhookRecord({ id, version: 0, slot })
    await work.commit([changed(webhooks, made), ...changes])
    return { ...made, version: 1 }
  }

  const createMany = async (work: () => UnitOfWork, count: number): Promise<Webhook[]> => {
    const made: Webhook[] = []
    for (let n = 0; n < count; n++) made.push(await create(work()))
    return made
  }

  /** Webhooks that were made before slots existed. */
  async function createWithoutSlots(work: () => UnitOfWork, count: number): Promise<Webhook[]> {
    const made = Array.from({ length: count }, () => webhookRecord({ id: work().newId('webhook'), version: 0 }))
    for (const each of made) await work().commit([changed(webhooks, each)])
    return made.map((each) => ({ ...each, version: 1 }))
  }

  const is_full = { code: 'unprocessable_entity', message: 'A merchant has at most 100 webhooks.' }

  test('is refused where a merchant has as many webhooks as allowed, and free again after a delete', async () => {
    const merchant = newMerchant()
    const work = () => service.work({ merchant })
    const made = await createMany(work, WEBHOOKS_MAX)
    expect(made.map(({ slot }) => slot!).toSorted((one, other) => one - other)).toEqual(
      made.map((_, index) => index + 1),
    )
    await expect(create(work())).rejects.toMatchObject(is_full)
    expect((await create(service.work({ merchant: newMerchant() }))).slot).toBeGreaterThan(0)
    await work().commit([removed(webhooks, made[41]!)])
    expect((await create(work())).slot).toBe(made[41]!.slot)
    await expect(create(work())).rejects.toMatchObject(is_full)
  })

  test('is one of those that webhooks without slots leave', async () => {
    const merchant = newMerchant()
    const work = () => service.work({ merchant })
    const [first] = await createWithoutSlots(work, WEBHOOKS_MAX - 2)
    const made = await createMany(work, 2)
    expect(made.map(({ slot }) => slot!).toSorted()).toEqual([1, 2])
    await expect(create(work())).rejects.toMatchObject(is_full)
    await work().commit([removed(webhooks, first!)])
    expect((await create(work())).slot).toBe(3)
    await expect(create(work())).rejects.toMatchObject(is_full)
  })

  test('is refused where a merchant already has more webhooks than allowed, until enough are deleted', async () => {
    const merchant = newMerchant()
    const work = () => service.work({ merchant })
    const made = await createWithoutSlots(work, 126)
    for (const each of made.slice(0, 26)) {
      await expect(create(work())).rejects.toMatchObject(is_full)
      await work().commit([removed(webhooks, each)])
    }
    await expect(create(work())).rejects.toMatchObject(is_full)
    await work().commit([removed(webhooks, made[26]!)])
    expect((await create(work())).slot).toBe(1)
  })

  test('that another webhook has taken meanwhile is lost, also where its row was left by a deleted webhook', async () => {
    const merchant = newMerchant()
    const work = () => service.work({ merchant })
    await createWithoutSlots(work, WEBHOOKS_MAX - 1)
    for (let round = 0; round < 3; round++) {
      const made = [work(), work()].map(create)
      const [one, other] = await Promise.allSettled(made)
      const [won, lost] = one!.status === 'fulfilled' ? [one, other] : [other, one]
      expect([won!.status, lost!.status]).toEqual(['fulfilled', 'rejected'])
      expect((lost as PromiseRejectedResult).reason).toBeInstanceOf(WriteConflict)
      await work().commit([removed(webhooks, (won as PromiseFulfilledResult<Webhook>).value)])
    }
  })

  test('is not taken from a webhook that is still there, even if the list does not show it', async () => {
    const merchant = newMerchant()
    const work = () => service.work({ merchant })
    await createWithoutSlots(work, WEBHOOKS_MAX - 1)
    const made = await create(work())
    await service.platform.table.write([{ delete: { pk: webhookList(merchant).pk, sk: made.id } }])
    await expect(create(work())).rejects.toBeInstanceOf(WriteConflict)
    await work().commit([removed(webhooks, made)])
    expect((await create(work())).slot).toBe(1)
  })

  test.each([
    ['a hundred', 0, 100, 100],
    ['a hundred and forty', 0, 140, 100],
    ['fifty beside sixty webhooks without slots', 60, 50, 40],
  ])('goes to each of %s creates at once that fits, in few tries', async (_, without, creates, fit) => {
    const merchant = newMerchant()
    await createWithoutSlots(() => service.work({ merchant }), without)
    // Every try of a round sees what all others of the round see, which collides the most.
    let waiting = creates
    let refused = 0
    let rounds = 0
    for (; waiting > 0; rounds++) {
      const results = await Promise.allSettled(
        Array.from({ length: waiting }, () => create(service.work({ merchant }))),
      )
      const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
      waiting = reasons.filter((reason) => reason instanceof WriteConflict).length
      refused += reasons.length - waiting
    }
    expect([refused, await service.platform.table.count({ pk: webhookList(merchant).pk })]).toEqual([
      creates - fit,
      { count: without + fit },
    ])
    expect(rounds).toBeLessThanOrEqual(15)
  })
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
  const work = service.work()
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
