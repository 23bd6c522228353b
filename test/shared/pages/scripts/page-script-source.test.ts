import { Script } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { page_script_source as script } from '#shared/pages/scripts/page-script-source.ts'

describe('page_script_source', () => {
  test('is valid, safe to embed, and makes no requests', () => {
    expect(() => new Script(script)).not.toThrow()
    expect(script).not.toMatch(/<\/|<!--|https?:|fetch|XMLHttpRequest|import|eval|innerHTML|Storage|cookie/)
  })
})
