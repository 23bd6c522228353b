import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { pythonWith } from '#test/fixtures/python.ts'

const MODULE = 'github.com/stripe/stripe-mock'
const VERSION = 'v0.203.0'
/** The checksum of the module. Go also compares it with the public checksum database. */
const CHECKSUM = 'h1:EzW7nb/fphqcAkgVRHAaC88OaAZo6SBWSl54cflDTio='

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** A server in a child process. `stop` ends it. */
export interface Server {
  readonly url: string
  stop(): void
}

/**
 * Installs stripe-mock, Stripe's own check of requests, unless it is installed. Returns its command and the folder of the
 * API description in its module. Throws if Go is missing, or if the module is not the pinned one.
 */
export function installStripeMock(): { command: string; openapi: string } {
  const folder = at(`../../.build/stripe-mock-${VERSION}`)
  const { Dir, Sum } = JSON.parse(go(folder, 'mod', 'download', '-json', `${MODULE}@${VERSION}`))
  if (Sum !== CHECKSUM) throw new Error(`${MODULE} ${VERSION} has the checksum ${Sum} instead of ${CHECKSUM}`)
  const command = `${folder}/stripe-mock`
  if (!existsSync(command)) go(folder, 'install', `${MODULE}@${VERSION}`)
  return { command, openapi: `${Dir}/embedded/openapi` }
}

function go(folder: string, ...parameters: string[]): string {
  try {
    const env = { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod' }
    return execFileSync('go', parameters, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Error('Go is missing: stripe-mock needs the command go.')
  }
}

/** Starts stripe-mock on loopback. It refuses a request with an unknown parameter, or of another version of the API. */
export async function startStripeMock(command: string): Promise<Server> {
  // Without an address for HTTPS, it would listen on every address of the machine.
  const addresses = ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0']
  const child = spawn(command, [...addresses, '-strict-version-check'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await firstMatch(child, /Listening for HTTP at address: 127\.0\.0\.1:(\d+)/)
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() }
}

/** Starts localstripe, an independent server of Stripe's API with states, on loopback. The first start installs it. */
export async function startLocalstripe(): Promise<Server> {
  const python = pythonWith('localstripe', at('requirements.txt'))
  const child = spawn(python, [at('server.py')], { stdio: ['pipe', 'pipe', 'inherit'] })
  const port = await firstMatch(child, /^(\d+)$/)
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() }
}

/** Waits for a line of a child's output. The rest of the output is read and dropped, so that the child never blocks. */
async function firstMatch(child: ChildProcess, pattern: RegExp): Promise<string> {
  const lines = createInterface({ input: child.stdout! })
  const found = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const match = pattern.exec(line)
      if (match !== null) resolve(match[1]!)
    })
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${child.spawnfile} ended with ${code} before it listened`)
  })
  return Promise.race([found, ended])
}
