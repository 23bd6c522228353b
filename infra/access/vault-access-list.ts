import type { Purpose } from '#shared/crypto/sealed-text.ts'
import type { File } from './table-access.ts'

/** The purposes for which a function seals data in the vault, and for which it opens data. */
export interface VaultAccess {
  readonly seals: readonly Purpose[]
  readonly opens: readonly Purpose[]
}

/**
 * The functions that can use the key of the vault, and their purposes. No other function can use the key. Sealed data
 * is bound to its purpose, so KMS itself refuses to open a card for a function that signs webhooks.
 */
export const vault_access_list = {
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
} as const satisfies Partial<Record<File, VaultAccess>>

/**
 * The functions that can access the bytes of files, each with its one S3 action. No other function can access them.
 * Access to the bucket includes the use of the key that encrypts it.
 */
export const bucket_access_list = {
  'files/create': 'PutObject',
  'files/content': 'GetObject',
  'background/chores': 'DeleteObject',
} as const satisfies Partial<Record<File, string>>
