import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SyncedFile } from '#infra/local/synced-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'synced-'))
  writeFileSync(join(folder, 'log'), '')
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('SyncedFile', () => {
  test('shares the next sync among all calls during a running sync', async () => {
    const file = new SyncedFile(join(folder, 'log'))
    const order: string[] = []
    const first = file.sync().then(() => order.push('first'))
    await Promise.resolve()
    const [second, third] = [file.sync(), file.sync()]
    expect(second).toBe(third)
    second.then(() => order.push('second'))
    await file.settled()
    await first
    expect(order).toEqual(['first', 'second'])
    await file.close()
  })

  test('settles at once if no sync is in progress', async () => {
    const file = new SyncedFile(join(folder, 'log'))
    await file.sync()
    let turns = 0
    const counting = setImmediate(() => turns++)
    await file.settled()
    expect(turns).toBe(0)
    clearImmediate(counting)
    await file.close()
  })

  test('fails every wait after a failed sync', async () => {
    let broken = true
    const file = new SyncedFile(join(folder, 'log'), (_, done) => done(broken ? new Error('EIO') : null))
    await expect(file.sync()).rejects.toThrow('EIO')
    broken = false
    await expect(file.sync()).rejects.toThrow('EIO')
    await expect(file.settled()).rejects.toThrow('EIO')
    await file.close()
  })

  test('throws for a missing file', () => {
    expect(() => new SyncedFile(join(folder, 'missing'))).toThrow('ENOENT')
  })
})
