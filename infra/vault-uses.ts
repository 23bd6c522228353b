import type { Purpose } from '#shared/store/sealed.ts'
import type { File } from './table-use.ts'

/** What a function seals in the vault, and what it opens there. */
export interface VaultUse {
  readonly seals: readonly Purpose[]
  readonly opens: readonly Purpose[]
}

/**
 * Who may use the key of the vault, and for what; nobody else may. What a thing was sealed for is bound in, so KMS itself
 * refuses to open a card for who signs webhooks.
 */
export const vault_uses = {
  'tokens/create': { seals: ['payment_details'], opens: [] },
  'customers/create': { seals: ['payment_details'], opens: ['payment_details'] },
  'customers/update': { seals: ['payment_details'], opens: ['payment_details'] },
  'payments/create': { seals: ['webhook_secret'], opens: ['payment_details'] },
  'sessions/create': { seals: ['webhook_secret'], opens: [] },
  'sessions/pay': { seals: ['payment_details'], opens: ['payment_details'] },
  'pages/sessions/pay': { seals: ['payment_details'], opens: ['payment_details'] },
  'secure-tokens/create': { seals: ['payment_details'], opens: ['payment_details'] },
  'webhooks/create': { seals: ['webhook_secret'], opens: [] },
  'webhooks/update': { seals: ['webhook_secret'], opens: [] },
  'webhooks/rotate': { seals: ['webhook_secret'], opens: [] },
  'subscriptions/create': { seals: [], opens: ['payment_details'] },
  'background/capture': { seals: [], opens: ['payment_details'] },
  'background/deliver': { seals: [], opens: ['webhook_secret'] },
} as const satisfies Partial<Record<File, VaultUse>>

/** Who may touch the files' bytes, and how; nobody else may. The key that encrypts them follows the bucket. */
export const bucket_uses = {
  'files/create': 'PutObject',
  'files/content': 'GetObject',
  'background/chores': 'DeleteObject',
} as const satisfies Partial<Record<File, string>>
