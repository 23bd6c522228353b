import { expect, test } from 'vitest'
import { document } from '#shared/pages/document.ts'
import { localRunPage } from '#shared/pages/local-run-page.ts'
import { tagsOf, valuesOf } from '#test/browser/customer-pages.ts'

test('localRunPage names the origin in every command, and has no script, language links or footer', async () => {
  const text = await document(localRunPage('http://localhost:3000'), 'bm9uY2U')
  const commands = [...text.matchAll(/<pre><code>(.*?)<\/code><\/pre>/g)].map(([, command]) => command)
  expect(commands.length).toBeGreaterThan(2)
  for (const command of commands) expect(command).toMatch(/^curl .*http:\/\/localhost:3000\//)
  expect(tagsOf(text).filter((tag) => /^<(script|header|footer|nav)/.test(tag))).toEqual([])
  expect(valuesOf(text, 'lang')).toEqual(['en'])
  expect(tagsOf(text).filter((tag) => /^<h1/.test(tag))).toHaveLength(1)
})

test('localRunPage escapes the origin', async () => {
  expect(await document(localRunPage('http://<img>'), 'bm9uY2U')).not.toContain('<img')
})
