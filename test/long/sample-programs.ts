import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { RequestLanguage } from '#shared/docs/reference-samples.ts'
import type { PrintedValues } from './sample-modules.ts'

type Environment = Readonly<Record<string, string>>

/** The response that a sample has printed. The text is the JSON body, or the address of a redirect. */
export interface PrintedResponse {
  readonly status: number
  readonly text: string
}

/** Runs the samples of the reference as a reader would, from a folder of their own. */
export class SamplePrograms {
  readonly #folder = mkdtempSync(join(tmpdir(), 'samples-'))
  readonly #modules: ChildProcess = fork(new URL('sample-modules.ts', import.meta.url), {
    cwd: this.#folder,
    execArgv: ['--disable-warning=ExperimentalWarning', '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
  })
  #runs = 0

  constructor() {
    // curl reads this file before its arguments. The text of a sample stays as the reader sees it.
    writeFileSync(join(this.#folder, '.curlrc'), 'silent\nshow-error\nwrite-out = "\\n%{http_code}"\n')
  }

  /** Writes a file that samples send. */
  addFile(name: string, text: string): void {
    writeFileSync(join(this.#folder, name), text)
  }

  run(language: RequestLanguage, text: string, env: Environment): Promise<PrintedResponse> {
    return language === 'shell' ? this.#runShell(text, env) : this.#runModule(text, env)
  }

  async #runShell(text: string, env: Environment): Promise<PrintedResponse> {
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', text], {
      cwd: this.#folder,
      env: { ...process.env, CURL_HOME: this.#folder, ...env },
    })
    const end = stdout.lastIndexOf('\n')
    const location = /^location: (.*)\r$/im.exec(stdout)?.[1]
    return { status: Number(stdout.slice(end)), text: location ?? stdout.slice(0, end) }
  }

  async #runModule(text: string, env: Environment): Promise<PrintedResponse> {
    const file = join(this.#folder, `sample-${++this.#runs}.ts`)
    writeFileSync(file, text)
    this.#modules.send({ file, env })
    const [printed] = (await once(this.#modules, 'message')) as [PrintedValues]
    if ('error' in printed) throw new Error(`${printed.error}\n${text}`)
    const [status, body] = printed.values as [number, unknown]
    return { status, text: typeof body === 'string' ? body : JSON.stringify(body) }
  }

  close(): void {
    this.#modules.kill()
    rmSync(this.#folder, { recursive: true })
  }
}
