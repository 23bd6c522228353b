import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openText } from '#shared/crypto/sealed-text.ts'
import { WEBHOOKS_MAX, type Webhook } from '#shared/domain/webhook.ts'
import { SealBroken, WriteConflict } from '#shared/platform/ports.ts'
import { changed, removed } from '#shared/store/change.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { webhookList, webhooks } from '#shared/store/webhooks.ts'
import { refuseUnreachable, sealSecret, takeSlot } from '#shared/webhooks/manage.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { deliveryRecord, webhookRecord } from '#test/fixtures/records.ts'

let service: Api
beforeAll(async () => {
  service = await openApi()
})
afterAll(() => service.close())

test('sealSecret seals a secret for its webhook', async () => {
  const work = service.work()
  const sealed = await sealSecret(work, 'whk_1', 's3cret')
  expect(sealed).not.toContain('s3cret')
  expect(await openText(work, 'webhook_secret', 'whk_1', sealed)).toBe('s3cret')
  await expect(openText(work, 'webhook_secret', 'whk_2', sealed)).rejects.toBeInstanceOf(SealBroken)
})

describe('takeSlot', () => {
  let merchants = 0
  const newMerchant = () => `mer_${++merchants}`

  /** Commits a webhook in a slot of its own. */
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

  /** Creates webhooks without slots, as they were before slots existed. */
  async function createWithoutSlots(work: () => UnitOfWork, count: number): Promise<Webhook[]> {
    const made = Array.from({ length: count }, () => webhookRecord({ id: work().newId('webhook'), version: 0 }))
    for (const each of made) await work().commit([changed(webhooks, each)])
    return made.map((each) => ({ ...each, version: 1 }))
  }

  const is_full = {
    code: 'unprocessable_entity',
    message: 'A merchant has at most 100 webhooks. Delete one that you no longer need.',
  }

  test('refuses a merchant with the maximum number of webhooks, and reuses the slot of a deleted webhook', async () => {
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

  test('uses only the slots that webhooks without slots leave', async () => {
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

  test('refuses a merchant above the maximum, until enough webhooks are deleted', async () => {
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

  test('conflicts for the second of two creates in one slot, even if a deleted webhook has left its row', async () => {
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

  test('never takes the slot of an existing webhook, even if the list does not show it', async () => {
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
  ])('admits as many of %s concurrent creates as fit, in few tries', async (_, without, creates, fit) => {
    const merchant = newMerchant()
    await createWithoutSlots(() => service.work({ merchant }), without)
    // In each round, all tries read the same state, which causes the most collisions.
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

test('refuseUnreachable refuses deliveries to an inactive or deleted webhook', async () => {
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
  expect(await message(off)).toBe(
    'unprocessable_entity: The webhook is not active. Activate it with PATCH /webhooks/:id.',
  )
  expect(await message('whk_gone')).toBe(
    'unprocessable_entity: The webhook is deleted. Create a new one with POST /webhooks.',
  )
})
