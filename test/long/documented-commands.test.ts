import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { request } from '#test/fixtures/api.ts'
import { submitApplication } from '#test/fixtures/applicant.ts'
import { allProperties } from '#test/fixtures/stages.ts'
import {
  commandsToRun,
  type DocumentedCommand,
  documentedStatus,
  printingStatus,
} from '#test/house/documented-commands.ts'
import { tree_root } from '#test/long/synthesized.ts'
import { withoutAccount } from '#test/stack/emulator.ts'

/** A copy of the checkout, in which commands may write what they like. */
let checkout: string
/** The server that `npm start` has started in the copy. */
let server: ChildProcess | undefined
let origin = ''
let key = ''
let payment = ''

beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), 'commands-'))
  const git = (...words: string[]) => execFileSync('git', words, { cwd: tree_root, encoding: 'utf8' })
  for (const file of git('ls-files', '--cached', '--others', '--exclude-standard').trim().split('\n'))
    cpSync(join(tree_root, file), join(checkout, file))
  symlinkSync(join(tree_root, 'node_modules'), join(checkout, 'node_modules'))
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com']
  for (const words of [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '.'],
    [...author, 'commit', '--quiet', '-m', 'Copy'],
  ])
    execFileSync('git', words, { cwd: checkout })
})

afterAll(async () => {
  if (server) {
    process.kill(-server.pid!)
    await once(server, 'exit')
  }
  rmSync(checkout, { recursive: true, force: true })
})

/** Starts a command as a shell in the copy does: without an AWS account, and without what npm has set for the tests. */
function start(text: string): ChildProcess {
  const inherited = Object.entries(withoutAccount()).filter(([name]) => !/^(npm_|VITEST|NODE_ENV$)/.test(name))
  const env = { ...Object.fromEntries(inherited), PORT: '0', SMOKE_KEY: key }
  return spawn('bash', ['-c', text], { cwd: checkout, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Runs a command to its end and returns its output. If the command fails, throws an error with the output. */
async function output(text: string): Promise<string> {
  const child = start(text)
  let printed = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (part) => (printed += part))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${text} ended with ${code}:\n${printed}`)
  return printed
}

/** Starts the server. Returns when it has printed how to use it. */
async function startServer(): Promise<string> {
  server = start('npm start')
  const lines: string[] = []
  for await (const line of createInterface({ input: server.stdout! })) {
    lines.push(line)
    origin ||= /is at (http\S+)\/api\/v1/.exec(line)?.[1] ?? ''
    key ||= /\b(sk_test_\w+)/.exec(line)?.[1] ?? ''
    if (line.includes("'payment_details[year]=2030'")) break
  }
  server.stdout!.resume()
  return lines.join('\n')
}

/** The id of the secret test key of a new merchant. */
async function newKeyId(): Promise<string> {
  const merchant = /^test +(mer_\w+)/m.exec(await output('npm run --silent operate -- create-merchant --local'))![1]
  const keys = await output(`npm run --silent operate -- list-keys ${merchant} --local`)
  return /key_\w+(?= .*secret)/.exec(keys)![0]
}

/** The id of a new live merchant whose application is submitted. */
async function newApplicantId(): Promise<string> {
  const merchants = await output('npm run --silent operate -- create-merchant --local')
  const [, id, live_key] = /^live +(mer_\w+) +(sk_live_\w+)/m.exec(merchants)!
  await submitApplication({ request: (route, options) => request(origin, route, options) }, live_key!)
  return id!
}

/** The text of a command about an application, with the ids of a new merchant and of its document. */
async function withApplicant(text: string): Promise<string> {
  if (!text.includes('mer_…')) return text
  const merchant = await newApplicantId()
  const shown = text.includes('fil_…')
    ? await output(`npm run --silent operate -- application show ${merchant} --local`)
    : ''
  return text.replace('mer_…', merchant).replace('fil_…', /fil_\w+/.exec(shown)?.[0] ?? '')
}

/** The text of a command with real values for its placeholders, and with a short run of what can take hours. */
async function filledIn(text: string): Promise<string> {
  const shorter: Readonly<Record<string, string>> = {
    'npm run simulate -- 1000000': 'npm run simulate -- 2',
    'npm run simulate -- acquirer --seeds 10000': 'npm run simulate -- acquirer --seeds 2',
    'npm run bench': 'npm run bench -- pages',
    'npm run screenshots': 'npm run screenshots -- instructions',
  }
  const filled = (await withApplicant(shorter[text] ?? text))
    .replace('http://127.0.0.1:3000', origin)
    .replace('sk_test_…', key)
    .replace(/pay_…|<payment>/, payment)
    .replace('<queue>', 'deliveries')
    .replace('<key id>', text.includes('<key id>') ? await newKeyId() : '')
  const has_place = /--(local|stage|help)\b/.test(filled)
  return filled.startsWith('npm run operate') && !has_place ? `${filled} --local` : filled
}

/** Runs a `curl` command. It must return the status that the document names before it. */
async function expectDocumentedStatus(command: DocumentedCommand): Promise<void> {
  const printed = await output(printingStatus(await filledIn(command.text)))
  const [, body = '', status] = /^([\s\S]*)\n(\d{3})$/.exec(printed)!
  expect(status, body).toBe(documentedStatus(command))
  payment ||= JSON.parse(body).id
}

test.each(commandsToRun())('$document: $text', async (command) => {
  const { text } = command
  if (text === 'npm start') {
    // The README shows the command that the server prints.
    const [example] = commandsToRun().filter((other) => other.text.startsWith('curl'))
    const printed = (await startServer()).replaceAll(/ \\\n */g, ' ')
    expect(printed).toContain(await filledIn(example!.text))
  } else if (text.startsWith('curl')) await expectDocumentedStatus(command)
  else {
    if (text.includes('record-properties'))
      writeFileSync(join(checkout, 'infra/stages/prod.json'), JSON.stringify(allProperties))
    await output(await filledIn(text))
  }
})
