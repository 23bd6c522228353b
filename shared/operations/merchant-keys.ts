import { Refusal } from '#shared/domain/errors.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Item } from '#shared/platform/ports.ts'
import { workOn } from '#shared/store/batch.ts'
import { changed } from '#shared/store/change.ts'
import { recordOf } from '#shared/store/kind.ts'
import { type ApiKey, apiKeys, type NewMerchant, newApiKey, newMerchants } from '#shared/store/merchants.ts'
import { startingOver } from '#shared/store/start-over.ts'
import type { Work } from '#shared/store/work.ts'
import type { WholePlatform } from './decide-payment.ts'
import { findItems, type OnProgress } from './find-items.ts'

/** Makes the test and the live merchant of a new account. Their keys are told this once. */
export async function createMerchants(
  { table, clock }: WholePlatform,
  name?: string,
): Promise<Record<'test' | 'live', NewMerchant>> {
  const { merchants, writes } = newMerchants(clock.now(), name)
  await table.write(writes)
  return merchants
}

/** All keys of a merchant, oldest first; without a merchant, those whose id begins so. */
export async function keysOf(
  { table }: WholePlatform,
  { merchant, beginning = '' }: { readonly merchant?: string; readonly beginning?: string },
  onProgress?: OnProgress,
): Promise<{ item: Item; key: ApiKey }[]> {
  const found: { item: Item; key: ApiKey }[] = []
  const fits = (item: Item) => String(item.id).startsWith(beginning)
  for await (const item of findItems(table, { kind: 'api_key', merchant }, fits, onProgress))
    found.push({ item, key: recordOf(apiKeys, item) })
  return found.sort((one, other) => (one.key.id < other.key.id ? -1 : 1))
}

/** Makes a new key in the place of one that lives on for so many seconds. Refuses with `unprocessable_entity` one that has ended. */
export async function rollKeyOf(
  platform: WholePlatform,
  item: Item,
  grace_seconds: number,
): Promise<{ key: ApiKey; secret: string }> {
  return onKey(platform, item, async (work, key) => {
    if (key.revoked_at !== null) throw new Refusal('unprocessable_entity', { message: 'The key was ended already.' })
    const { secret, record } = newApiKey({ ...key, id: key.merchant }, key.kind, work.now())
    const revoked_at = timestamp(work.now() + grace_seconds * 1000)
    await work.commit([changed(apiKeys, record), changed(apiKeys, { ...key, revoked_at })])
    return { key: record, secret }
  })
}

/** Ends a key at once. One that has ended stays as it is. */
export async function revokeKeyOf(platform: WholePlatform, item: Item): Promise<ApiKey> {
  return onKey(platform, item, async (work, key) => {
    if (key.revoked_at !== null && Date.parse(key.revoked_at) <= work.now()) return key
    const next = { ...key, revoked_at: timestamp(work.now()) }
    await work.commit([changed(apiKeys, next)])
    return next
  })
}

async function onKey<T>(platform: WholePlatform, item: Item, act: (work: Work, key: ApiKey) => Promise<T>): Promise<T> {
  const work = await workOn(platform, item)
  return startingOver(work, async () => act(work, (await work.at(apiKeys, item))!))
}
