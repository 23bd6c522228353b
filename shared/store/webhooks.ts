import type { Webhook } from '#shared/domain/webhook.ts'
import { webhook } from '#shared/resources/webhook.ts'
import { itemsOf } from './items-of.ts'
import { listPk, recordKey } from './keys.ts'
import type { Kind } from './kind.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/**
 * The webhooks of a merchant. The facet of a list entry is the slot of the webhook. A webhook falls due while a
 * recovery of its failed deliveries is in progress.
 */
export const webhooks: Kind<Webhook> = {
  name: 'webhook',
  key: (merchant, { id }) => recordKey('webhook', merchant, id),
  entries: (merchant, { id, slot }) => [
    { list: webhookList(merchant), id, facet: slot === undefined ? '' : `${slot}` },
  ],
  due: ({ recovery }) => recovery?.due_at,
  due_kind: 'webhook',
  view: webhook,
}

/**
 * One of a merchant's numbered slots for webhooks, and the last webhook that took the slot. The slot is free once that
 * webhook is deleted, so a delete does not write the slot.
 */
export interface WebhookSlot {
  readonly version: number
  readonly slot: number
  readonly webhook: string
}

/** The slots of a merchant. A slot is stored when a webhook first takes it. */
export const webhookSlots: Kind<WebhookSlot> = {
  name: 'webhook_slot',
  key: (merchant, { slot }) => recordKey('webhook_slot', merchant, `${slot}`),
}

/** The slots of a merchant's webhooks, read from their list entries; undefined for a webhook without a slot. */
export async function slotsOf(work: UnitOfWork): Promise<(number | undefined)[]> {
  const entries = await itemsOf(work.platform.table, { pk: webhookList(work.merchant).pk })
  return entries.map(({ facet }) => (facet ? Number(facet) : undefined))
}

export const webhookList = (merchant: string) => ({ pk: listPk('webhook', merchant), prefix: 'whk_', counted: false })
