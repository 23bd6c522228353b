import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { StoredFile } from '#shared/domain/file.ts'
import { WriteConflict } from '#shared/platform/ports.ts'
import { files, findFile, getFile, giveUpUpload, linkTo, storeFile } from '#shared/store/files.ts'
import { itemOf } from '#shared/store/kind.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { itemsOf } from '#test/faults/witness.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { documentOf } from '#test/fixtures/documents.ts'

const paper = { filename: "it's.pdf", mime_type: 'application/pdf', bytes: documentOf(100) } as const

let api: Api
let work: UnitOfWork
beforeAll(async () => {
  api = await openApi()
})
beforeEach(async () => {
  await api.advance(3_600)
  work = new UnitOfWork({ platform: api.platform, merchant: api.test.id, mode: 'test', base_url: api.url })
})
afterAll(() => api.close())

/** Begins an upload. Its bytes are in the bucket, and `end` stores it. */
async function begun(): Promise<{ answer: StoredFile; end: () => Promise<void> }> {
  const { changes, answer } = await storeFile(work, paper)
  return { answer, end: () => work.commit(changes) }
}

const messageOf = ({ id }: StoredFile) => {
  const { pk, sk, due_at } = itemsOf(api, 'file').find((item) => item.id === id)!
  return { kind: 'file', pk, sk, due_at: due_at! }
}

/** A unit of work of another process, which has read nothing yet. */
const otherProcess = () => new UnitOfWork({ platform: api.platform, merchant: api.test.id, mode: 'test' })

describe('storeFile and giveUpUpload', () => {
  test('storeFile commits the upload before its bytes, and the file is found only once it is stored', async () => {
    const { put } = api.platform.bucket
    const seen: unknown[] = []
    api.platform.bucket.put = (...call) => {
      seen.push(itemsOf(api, 'file').map(({ state, due_at }) => [state, due_at !== undefined]))
      return put.apply(api.platform.bucket, call)
    }
    const { answer, end } = await begun()
    api.platform.bucket.put = put
    expect(seen).toEqual([[['uploading', true]]])
    expect(await findFile(otherProcess(), answer.id)).toBeUndefined()
    await expect(getFile(otherProcess(), answer.id)).rejects.toMatchObject({ code: 'not_found' })
    await end()
    expect(await getFile(otherProcess(), answer.id)).toEqual({ ...answer, version: 2 })
    expect(itemsOf(api, 'file')[0]).not.toHaveProperty('due_shard')
  })

  test('an upload cannot be stored once it has been given up, completely or in part', async () => {
    for (const steps of ['all', 'the first'] as const) {
      const { answer, end } = await begun()
      const message = messageOf(answer)
      await atTime(message.due_at, async () => {
        const { remove } = api.platform.bucket
        if (steps === 'the first') api.platform.bucket.remove = () => Promise.reject(new Error('cut off'))
        await giveUpUpload(otherProcess(), message).catch(() => undefined)
        api.platform.bucket.remove = remove
      })
      await expect(end()).rejects.toBeInstanceOf(WriteConflict)
      expect(await findFile(otherProcess(), answer.id)).toBeUndefined()
      await giveUpUpload(otherProcess(), message)
      expect(itemsOf(api, 'file').some(({ id }) => id === answer.id)).toBe(false)
    }
  })

  test('giveUpUpload does nothing before its time, and nothing once the file is stored', async () => {
    const { answer, end } = await begun()
    const message = messageOf(answer)
    await giveUpUpload(otherProcess(), message)
    const late = otherProcess()
    await late.find(files, answer.id)
    await end()
    await atTime(message.due_at, () => retryOnConflict(late, () => giveUpUpload(late, message)))
    expect(await findFile(otherProcess(), answer.id)).toMatchObject({ state: 'stored' })
    expect((await fetch(await linkTo(work, answer))).status).toBe(200)
  })

  async function atTime(due_at: string, act: () => Promise<void>): Promise<void> {
    api.platform.clock.turnTo(Date.parse(due_at))
    await act()
  }
})

describe('files and linkTo', () => {
  test('a file falls due only while it is being uploaded', async () => {
    const { answer } = await begun()
    expect(itemOf(files, 'mer_1', answer, 0)).not.toHaveProperty('due_at')
    expect(messageOf(answer).due_at).toMatch(/Z$/)
  })

  test('linkTo returns an absolute URL that is valid for five minutes and contains the file name', async () => {
    const { answer, end } = await begun()
    await end()
    const link = new URL(await linkTo(work, answer))
    expect(link.href.startsWith(`${api.url}/`)).toBe(true)
    expect(link.searchParams.get('content_disposition')).toBe("attachment; filename*=UTF-8''it%27s.pdf")
    expect(Number(link.searchParams.get('expires'))).toBe(api.platform.clock.now() + 300_000)
  })
})
