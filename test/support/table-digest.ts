import { createHash } from 'node:crypto'
import type { Api } from './api.ts'

/** A digest of all that a service has stored: the same as long as nothing of it changed. */
export function tableDigest({ platform }: Api): string {
  const hash = createHash('sha256')
  for (const item of platform.table.items()) hash.update(JSON.stringify(item))
  return hash.digest('hex')
}
