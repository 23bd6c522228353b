import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backgroundFiles } from '#shared/background.ts'

test('backgroundFiles lists exactly the files of functions/background', () => {
  const folder = join(import.meta.dirname, '../../functions/background')
  const files = readdirSync(folder).map((name) => `background/${name.replace(/\.ts$/, '')}`)
  expect([...backgroundFiles].sort()).toEqual(files.sort())
})
