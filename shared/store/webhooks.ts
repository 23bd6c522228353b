import type { Webhook } from '#shared/domain/webhook.ts'
import { webhook } from '#shared/resources/webhook.ts'
import { listPk, recordKey } from './keys.ts'
import type { Kind } from './kind.ts'

/** The webhooks of a merchant; due while what failed at one is being delivered again. */
export const webhooks: Kind<Webhook> = {
  name: 'webhook',
  key: (merchant, { id }) => recordKey('webhook', merchant, id),
  entries: (merchant, { id }) => [{ list: webhookList(merchant), id, facet: '' }],
  due: ({ recovery }) => recovery?.due_at,
  due_kind: 'webhook',
  view: webhook,
}

export const webhookList = (merchant: string) => ({ pk: listPk('webhook', merchant), prefix: 'whk_', counted: false })
