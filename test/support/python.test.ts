import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { pythonWith } from './python.ts'

const folder = mkdtempSync(join(tmpdir(), 'no-python-'))
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

test('a machine without Python 3 is told that it is missing, and what needs it', () => {
  vi.stubEnv('PATH', folder)
  const requirements = join(folder, 'requirements.txt')
  writeFileSync(requirements, 'nothing==0.0.0\n')
  expect(() => pythonWith('some-tool', requirements)).toThrow(
    'Python 3 is missing: some-tool needs the command python3 with its module venv.',
  )
})
