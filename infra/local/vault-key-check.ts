import { type Purpose, sealContext } from '#shared/crypto/sealed-text.ts'
import type { Item } from '#shared/platform/ports.ts'
import { merchantAndId } from '#shared/store/keys.ts'
import { attributesOf } from '#shared/store/kind.ts'
import type { KeyFileVault } from './key-file-vault.ts'
import type { SqliteTable } from './sqlite-table.ts'

/**
 * Throws if the key of a vault is not the key that seals the table's data. Otherwise, new data would need another key
 * than existing data. The table stores a check value of the key, from which the key cannot be computed. A table without
 * a check value accepts a key that opens something in the table, or any key if the table holds nothing that the vault
 * has sealed.
 */
export function refuseOtherKey(vault: KeyFileVault, table: SqliteTable): void {
  const check = vault.keyFor('check value').toString('hex')
  const stored = table.vaultKeyCheck()
  if (stored === check) return
  if (stored !== undefined || !opensSome(vault, table))
    throw new Error(
      `The key file ${vault.file} does not belong to the data in ${table.file}: restore the previous key file, or restore both from one backup.`,
    )
  table.storeVaultKeyCheck(check)
}

/** Whether the vault opens anything that is sealed in the table. Also true if nothing in the table is sealed. */
function opensSome(vault: KeyFileVault, table: SqliteTable): boolean {
  let is_any = false
  for (const item of table.items())
    for (const { sealed, context } of sealedIn(item)) {
      if (vault.canOpen(Buffer.from(sealed, 'base64'), context)) return true
      is_any = true
    }
  return !is_any
}

/**
 * Returns the sealed texts of an item with their contexts. Tokens are omitted, because another key encrypts their
 * sealed text a second time.
 */
function sealedIn(item: Item): { sealed: string; context: Record<string, string> }[] {
  const { merchant, id } = merchantAndId(item.pk)
  const { sealed, secret, webhooks, session } = attributesOf<Holder>(item)
  const texts: [Purpose, string, string | null | undefined][] = []
  if (item.sk === 'card' || item.sk === 'secure_token') texts.push(['payment_details', id, sealed])
  if (item.sk === 'webhook') texts.push(['webhook_secret', id, secret?.sealed])
  if (item.sk === 'payment' || item.sk === 'session')
    for (const { secret_sealed } of webhooks ?? []) texts.push(['webhook_secret', session ?? id, secret_sealed])
  return texts.flatMap(([purpose, record, text]) =>
    text ? [{ sealed: text, context: sealContext(merchant, purpose, record) }] : [],
  )
}

/** The attributes that hold sealed text, in items of all kinds. */
interface Holder {
  readonly sealed?: string | null
  readonly secret?: { readonly sealed: string } | null
  readonly webhooks?: readonly { readonly secret_sealed: string | null }[]
  readonly session?: string | null
}
