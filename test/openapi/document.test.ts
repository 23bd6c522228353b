import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { DOCUMENT_FILE } from '#infra/openapi/document-file.ts'
import { pythonWith } from '#test/fixtures/python.ts'

const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url))

test('openapi-spec-validator accepts the API description', () => {
  const command = join(dirname(pythonWith('openapi', requirements)), 'openapi-spec-validator')
  expect(execFileSync(command, [DOCUMENT_FILE], { encoding: 'utf8' })).toContain(': OK')
})

test('redocly reports no error, and only the accepted warnings', () => {
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', 'test/openapi/lint.ts'] as const
  const [program, ...args] = node
  expect(execFileSync(program, args, { encoding: 'utf8' })).toContain('1 passed, 0 failed')
})
