import { parseArgs } from 'node:util'
import { Broken } from './answers.ts'
import type { Check } from './check.ts'
import { checks } from './checks.ts'
import { NothingToCheck, recognize } from './contact.ts'
import { type Access, Deployment, real_timing, type Timing } from './deployment.ts'

/** The output of the command, its environment variables, and how it waits. */
export interface Terminal {
  out(line: string): void
  err(line: string): void
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timing?: Timing
}

const COMMAND = 'npm run smoke --'

const help = [
  `${COMMAND} --url <url> [--key <key>]`,
  '  checks the most important functions of a deployment of the API over HTTP, in test mode',
  '',
  '  --url <url>  the base URL of the API, such as http://127.0.0.1:3000/api/v1',
  '  --key <key>  a secret key of a test merchant, sk_test_…; prefer the variable SMOKE_KEY, because npm prints its arguments',
  '',
  'SMOKE_PUBLISHABLE_KEY holds a publishable key of a test merchant, pk_test_…. Without it, the checks of that key are skipped.',
  '',
  'It creates payments, a customer, sessions, a secure token and a file in test mode, and deletes or cancels what it can.',
  'Exit code: 0 if all checks pass, 1 if a check fails, 2 if no check could run.',
]

/**
 * Checks the deployment that the command line names. Returns the exit code: 0, 1 when a check fails, 2 when nothing
 * could be checked.
 */
export async function smoke(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const { wantsHelp, ...access } = parsed([...words], terminal)
    if (wantsHelp) {
      for (const line of help) terminal.out(line)
      return 0
    }
    const api = new Deployment({ ...access, timing: terminal.timing ?? real_timing })
    await recognize(api, access.url)
    return await checkAll(api, (line) => terminal.out(hiding(access.key, line)))
  } catch (error) {
    if (!(error instanceof NothingToCheck)) throw error
    terminal.err(error.message)
    return 2
  }
}

function parsed(args: string[], { env }: Terminal): Access & { readonly wantsHelp: boolean } {
  const { url, key = env.SMOKE_KEY ?? '', help: wantsHelp = false } = readWords(args)
  if (wantsHelp) return { url: '', key: '', publishable_key: null, wantsHelp }
  if (url === undefined) throw new NothingToCheck(`The URL of the API is missing: --url <url>. See: ${COMMAND} --help`)
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (!address || !/^https?:$/.test(address.protocol) || address.search || address.hash || address.username)
    throw new NothingToCheck('The URL is not the base URL of an API, such as http://127.0.0.1:3000/api/v1.')
  const refusal = refusalOf(key)
  if (refusal) throw new NothingToCheck(refusal)
  const publishable_key = env.SMOKE_PUBLISHABLE_KEY || null
  if (publishable_key !== null && !/^pk_test_[0-9a-z]+$/.test(publishable_key))
    throw new NothingToCheck('SMOKE_PUBLISHABLE_KEY is not a publishable key of a test merchant, pk_test_….')
  return { url: address.href.replace(/\/+$/, ''), key, publishable_key, wantsHelp }
}

/** Removes the key from a line, because a broken deployment may have repeated it. */
const hiding = (key: string, line: string): string =>
  [key, btoa(`${key}:`)].reduce((text, secret) => text.replaceAll(secret, 'sk_test_…'), line)

function refusalOf(key: string): string | undefined {
  if (key === '') return 'Give a secret key of a test merchant, sk_test_…, in the variable SMOKE_KEY or with --key.'
  if (/^[sp]k_live_/.test(key)) return 'This is a live key, and its payments would be real. Give a test key, sk_test_….'
  if (key.startsWith('pk_'))
    return 'This is a publishable key, which cannot call every endpoint. Give the secret key, sk_test_….'
  return /^sk_test_[0-9a-z]+$/.test(key) ? undefined : 'This is not a secret key of a test merchant, sk_test_….'
}

function readWords(args: string[]) {
  const options = { url: { type: 'string' }, key: { type: 'string' }, help: { type: 'boolean' } } as const
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    // The word that cannot be parsed may be the key, so the message does not repeat it.
    const { code } = error as { code?: string }
    const problem =
      code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? 'There is no such option' : 'The command line is not valid'
    throw new NothingToCheck(`${problem}. See: ${COMMAND} --help`)
  }
}

async function checkAll(api: Deployment, print: (line: string) => void): Promise<number> {
  const began = performance.now()
  let [failed, skipped] = [0, 0]
  for (const check of checks) {
    if (check.uses_publishable_key && api.publishable_key === null) {
      skipped++
      print(`skip ${check.what}: SMOKE_PUBLISHABLE_KEY is not set`)
      continue
    }
    const started = performance.now()
    const problem = await problemIn(check, api)
    if (problem) failed++
    print(problem ? `FAIL ${check.what}: ${problem}` : `ok   ${check.what}  ${msSince(started)}`)
  }
  print(`${checks.length} checks in ${msSince(began)}: ${summaryOf(failed, skipped)}.`)
  return failed === 0 ? 0 : 1
}

function summaryOf(failed: number, skipped: number): string {
  if (skipped > 0) return `${failed} failed, ${skipped} skipped`
  return failed === 0 ? 'all passed' : `${failed} failed`
}

/** Runs a check and returns what does not work, or undefined. What the check created is undone in either case. */
async function problemIn({ run }: Check, api: Deployment): Promise<string | undefined> {
  const routes: string[] = []
  const problem = await attempt(() => run(api, (route) => routes.push(route)))
  const left = await Promise.all(routes.map((route) => attempt(() => takeBack(api, route))))
  return problem ?? left.find((one) => one !== undefined)
}

async function takeBack(api: Deployment, route: string): Promise<void> {
  const { status } = await api.send(route)
  if (status !== 200 && status !== 404) throw new Broken(`${route} responded with ${status}`)
}

async function attempt(act: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await act()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const msSince = (started: number): string => `${Math.round(performance.now() - started)} ms`
