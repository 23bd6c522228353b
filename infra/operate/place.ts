import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { namesOf } from '#infra/names.ts'
import { queueNames } from '#shared/background.ts'
import { ownerOf, queueUrl, readObject } from '#shared/platform/aws/operating.ts'
import { awsPlatform } from '#shared/platform/platform-of.ts'
import { FILES_FOLDER, openLocalPlatform, TABLE_FILE } from '../local/local-platform.ts'
import type { Place } from './verb.ts'

/**
 * Opens a data folder, also while another process serves from it. With `frozen_at` (epoch milliseconds), time does not
 * pass. Throws when the folder has no data.
 */
export function openFolder(data_dir: string, frozen_at?: number): Place {
  if (!existsSync(join(data_dir, TABLE_FILE)))
    throw new Error(`There is no data in ${data_dir}. Name the folder with --data-dir.`)
  const platform = openLocalPlatform({ data_dir, unlocked: true, frozen_at })
  return {
    platform,
    async readObject(name) {
      const bytes = await platform.bucket.get(name)
      if (!bytes) throw new Error(`The folder ${join(data_dir, FILES_FOLDER)} lacks the bytes of ${name}.`)
      return bytes
    },
    close: () => platform.table.close(),
  }
}

/** Opens a stage on AWS, with the credentials and in the region that the AWS SDK finds. */
export async function openStage(stage: string): Promise<Place> {
  const names = namesOf(stage)
  const urls = await Promise.all(queueNames.map((queue) => queueUrl(names.queue(queue))))
  const queue_urls = Object.fromEntries(queueNames.map((queue, index) => [queue, urls[index]!]))
  const platform = awsPlatform({
    table: names.table,
    queue_urls: queue_urls as Record<(typeof queueNames)[number], string>,
    vault_key: names.vaultKey,
    live_acquirer: 'none',
  })
  // The operator reads the result of the command, and no log.
  return {
    platform: { ...platform, log: () => {} },
    async readObject(name) {
      const { account, region } = await ownerOf(names.table)
      return readObject(names.filesBucket(account, region), name)
    },
    close: () => {},
  }
}
