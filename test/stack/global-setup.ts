import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestProject } from 'vitest/node'
import type { Emulator } from './emulator.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly assembly: string
    readonly url: string
    readonly emulator: Pick<Emulator, 'url' | 'env'>
  }
}

/**
 * Runs the program of `npm run stack`, which keeps a stage in an emulator for as long as the tests run. The tests find
 * the stage by the output of the program, as an engineer does.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const program = ['--disable-warning=ExperimentalWarning', 'test/stack/main.ts']
  const cwd = join(import.meta.dirname, '../..')
  const stack = spawn(process.execPath, program, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(stack, 'exit')
  const env: Record<string, string> = {}
  let [url, assembly, is_ready] = ['', '', false]
  for await (const line of createInterface({ input: stack.stdout })) {
    url ||= /^The API is at (\S+)/.exec(line)?.[1] ?? ''
    assembly ||= /^The templates are in (\S+)/.exec(line)?.[1] ?? ''
    const [, name, value] = /^export (\w+)=(.*)$/.exec(line) ?? []
    if (name) env[name] = value!
    is_ready = line.startsWith('Ctrl-C')
    if (is_ready) break
  }
  if (!is_ready) throw new Error(`npm run stack ended with ${(await ended)[0]} before the stage was deployed`)
  const { NODE_OPTIONS: _, ...aws } = env
  Object.assign(process.env, aws)
  project.provide('assembly', assembly)
  project.provide('url', url)
  project.provide('emulator', { url: env.AWS_ENDPOINT_URL!, env })
  return async () => {
    stack.kill('SIGINT')
    await ended
  }
}
