import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Reply, type RequestOptions, request } from './api.ts'

/** The service as `npm start` runs it: a process of its own on a data folder, on a free port. */
export interface LocalRun {
  readonly url: string
  /** The secret key of the demo merchant; told on the first start alone. */
  readonly key: string | undefined
  /** The answer, or undefined where the process died before it came. */
  send(route: string, options?: RequestOptions): Promise<Reply | undefined>
  advance(seconds: number): Promise<void>
  /** kill -9: nothing is finished, nothing is closed. */
  kill(): Promise<void>
}

const root = join(import.meta.dirname, '../..')

/**
 * Starts it, and answers once it takes requests. Whatever it prints goes to `onLine` as well. No file grows beyond
 * `file_blocks_max` of 512 bytes, as on a disk that is full.
 */
export async function startLocally(
  data_dir: string,
  onLine: (line: string) => void = () => {},
  env: Readonly<Record<string, string>> = { LOG_LEVEL: 'info' },
  file_blocks_max: number | 'unlimited' = 'unlimited',
): Promise<LocalRun> {
  const node = ['--disable-warning=ExperimentalWarning', '--import', './test/support/nameless.ts']
  const limited = ['-c', `ulimit -f ${file_blocks_max} && exec "$@"`, 'sh']
  const child = spawn('sh', [...limited, process.execPath, ...node, 'infra/local/main.ts'], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: data_dir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const gone = once(child, 'exit')
  let url: string | undefined
  let key: string | undefined
  const lines: string[] = []
  const ready = new Promise<void>((started) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on('line', (line) => {
        onLine(line)
        lines.push(line)
        url ??= /is at (http\S+)\/api\/v1/.exec(line)?.[1]
        key ??= /\b(sk_test_[0-9a-z]+)/.exec(line)?.[1]
        // The last of what it says: how to go on.
        if (url && line.includes('curl')) started()
      })
  })
  await Promise.race([
    ready,
    gone.then(() => Promise.reject(new Error(`the service did not start: ${lines.join(' ')}`))),
  ])
  const send = (route: string, options?: RequestOptions) => request(url!, route, options).catch(() => undefined)
  while (!(await send('GET /_local/health'))) await new Promise(setImmediate)
  return {
    url: url!,
    key,
    send,
    async advance(seconds) {
      const reply = await send('POST /_local/clock', { json: { advance: seconds } })
      if (reply?.status !== 200) throw new Error(`the clock could not be turned: ${reply?.text}`)
    },
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
