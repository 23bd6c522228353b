import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'

const VERSION = '4.0.2'
const MINUTES_MS = 60_000
const folder = join(import.meta.dirname, `../../.build/aws-lambda-ric-${VERSION}`)

/** The tools that build the native part of the package. */
const tools = ['cmake', 'make', 'g++', 'python3', 'tar', 'xz']

/** The tools that this machine lacks to build the package; none once the package is built. */
export const missing_tools: readonly string[] = existsSync(join(folder, 'complete'))
  ? []
  : tools.filter((tool) => !has(tool))

function has(tool: string): boolean {
  try {
    execFileSync(tool, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * Installs AWS's runtime client for Node, under which Lambda runs every function. The first call builds it, which takes
 * some minutes and needs the network. Throws the output of npm on failure.
 */
export function installRuntimeClient(): void {
  if (existsSync(join(folder, 'complete'))) return
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const name = 'aws-lambda-ric'
  const project = { private: true, dependencies: { [name]: VERSION }, allowScripts: { [name]: true } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project))
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'pipe',
    timeout: 15 * MINUTES_MS,
  })
  writeFileSync(join(folder, 'complete'), '')
}

interface Bundle {
  /** The deployed folder. */
  readonly code: string
  readonly handler: string
  readonly environment: Readonly<Record<string, string>>
}

/** The outcome of an invocation: its result, or the error that it reports to Lambda. */
export type Outcome = { readonly result: unknown } | { readonly error: unknown }

/** Runs a bundle under the runtime client with one event from a Runtime API on this machine. */
export async function invokeBundle({ code, handler, environment }: Bundle, event: object): Promise<Outcome> {
  const reported = Promise.withResolvers<Outcome>()
  const server = createServer(async (request, response) => {
    const [, , , ...path] = request.url!.split('/')
    if (request.method === 'GET') {
      if (!unsent) return // The runtime client waits for the next event until it is stopped.
      unsent = false
      response.writeHead(200, { ...invocation, 'content-type': 'application/json' }).end(JSON.stringify(event))
      return
    }
    const body = await json(request)
    reported.resolve(path.at(-1) === 'response' ? { result: body } : { error: body })
    response.writeHead(202).end()
  })
  let unsent = true
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const child = spawn(process.execPath, [join(folder, 'node_modules/aws-lambda-ric/index.mjs')], {
    cwd: code,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      ...environment,
      _HANDLER: handler,
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
      AWS_LAMBDA_FUNCTION_NAME: 'function',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/function',
      AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
      LAMBDA_TASK_ROOT: code,
    },
  })
  const complaints = child.stderr.toArray()
  child.once('exit', async (status) =>
    reported.reject(new Error(`the runtime client ended with ${status}: ${Buffer.concat(await complaints)}`)),
  )
  try {
    return await reported.promise
  } finally {
    child.kill('SIGKILL')
    server.closeAllConnections()
    server.close()
  }
}

const invocation = {
  'Lambda-Runtime-Aws-Request-Id': '00000000-0000-4000-8000-000000000000',
  'Lambda-Runtime-Deadline-Ms': String(Date.now() + 60 * MINUTES_MS),
  'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:us-east-1:000000000000:function:function',
  'Lambda-Runtime-Trace-Id': 'Root=1-00000000-000000000000000000000000;Parent=0000000000000000;Sampled=0',
}
