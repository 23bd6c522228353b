import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { checks } from '#infra/smoke/checks.ts'
import {
  commandsIn,
  type DocumentedCommand,
  documentedStatus,
  printingStatus,
  runElsewhere,
  STACK_SECTION,
} from '#test/house/documented-commands.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const commands = commandsIn('infra/README.md').filter(
  ({ section, text }) => section === STACK_SECTION && !Object.hasOwn(runElsewhere, text),
)

/** The secret key and the publishable key of the test merchant that `create-merchant` has made. */
let [key, publishable_key] = ['', '']

/** Runs a command in a shell with the variables that `npm run stack` prints and those that the document sets. */
async function output(text: string): Promise<string> {
  const keys = { SMOKE_KEY: key, SMOKE_PUBLISHABLE_KEY: publishable_key }
  const env = { ...process.env, ...inject('emulator').env, URL: inject('url'), ...keys }
  return (await run('bash', ['-c', text], { cwd: root, env })).stdout
}

async function expectDocumentedStatus(command: DocumentedCommand): Promise<void> {
  const printed = await output(printingStatus(command.text))
  expect(printed.split('\n').at(-1), printed).toBe(documentedStatus(command))
}

test.each(commands)('runs as documented: $text', async (command) => {
  const { text } = command
  if (text.startsWith('curl')) return expectDocumentedStatus(command)
  const lines = (await output(text)).trim().split('\n')
  if (text.includes('create-merchant')) {
    const [, id, ...keys] = lines.find((line) => line.startsWith('test '))!.split(/ +/)
    expect(id).toMatch(/^mer_/)
    ;[key, publishable_key] = keys as [string, string]
  }
  if (text.includes('smoke')) {
    const found = lines.filter((line) => line.startsWith('ok ')).map((line) => line.replace(/ +\d+ ms$/, ''))
    expect(found).toEqual(checks.map(({ what }) => `ok   ${what}`))
    expect(lines.at(-1)).toMatch(/: all passed\.$/)
  }
})

test('the document shows how to make a merchant, to check the stage and to make a payment', () => {
  const words = ['create-merchant', 'smoke', 'curl']
  expect(words.filter((word) => !commands.some(({ text }) => text.includes(word)))).toEqual([])
})
