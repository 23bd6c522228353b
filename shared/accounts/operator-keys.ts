import { type ApiKey, revoked, rolled } from '#shared/domain/api-key.ts'
import type { Item, WholePlatform } from '#shared/platform/ports.ts'
import { workOn } from '#shared/scheduling/worker-batch.ts'
import { apiKeys, newApiKey } from '#shared/store/api-keys.ts'
import { changed } from '#shared/store/change.ts'
import { findItems, type OnProgress } from '#shared/store/find-items.ts'
import { recordOf } from '#shared/store/kind.ts'
import { type NewMerchant, newMerchants } from '#shared/store/merchants.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/** Creates a test merchant and a live merchant with their account. Their keys are shown only once. */
export async function createMerchants(
  { table, clock }: WholePlatform,
  name?: string,
): Promise<Record<'test' | 'live', NewMerchant> & { readonly account: string }> {
  const { account, merchants, writes } = newMerchants(clock.now(), name)
  await table.write(writes)
  return { ...merchants, account }
}

/**
 * Returns the API keys whose id begins with `beginning`, oldest first. Without `merchant`, the keys of all merchants
 * are searched.
 */
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

/**
 * Creates a new key that replaces another one. The old key stays valid for `grace_seconds`. Refuses with
 * `unprocessable_entity` a key that was rolled or revoked before, also within its grace time.
 */
export async function rollKeyOf(
  platform: WholePlatform,
  item: Item,
  grace_seconds: number,
): Promise<{ key: ApiKey; secret: string }> {
  return onKey(platform, item, async (work, key) => {
    const before = rolled(key, grace_seconds, work.realNow())
    const { secret, record } = newApiKey({ ...key, id: key.merchant }, key.kind, work.realNow())
    await work.commit([changed(apiKeys, record), changed(apiKeys, before)])
    return { key: record, secret }
  })
}

/** Revokes a key at once. A key that is no longer valid stays unchanged. */
export async function revokeKeyOf(platform: WholePlatform, item: Item): Promise<ApiKey> {
  return onKey(platform, item, async (work, key) => {
    const next = revoked(key, work.realNow())
    if (next !== key) await work.commit([changed(apiKeys, next)])
    return next
  })
}

async function onKey<T>(
  platform: WholePlatform,
  item: Item,
  act: (work: UnitOfWork, key: ApiKey) => Promise<T>,
): Promise<T> {
  const work = await workOn(platform, item)
  return retryOnConflict(work, async () => act(work, (await work.at(apiKeys, item))!))
}
