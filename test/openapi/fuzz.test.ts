import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type LocalRun, startLocally } from '#test/fixtures/local-run.ts'
import { pythonWith } from '#test/fixtures/python.ts'
import { openReceiver } from '#test/fixtures/receiver.ts'
import { recordsToFuzz } from './records-to-fuzz.ts'

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const CASES_MIN = 20_000

/** The most random cases of an operation. The systematic cases of the coverage phase come in addition. */
const RANDOM_CASES_OF_OPERATION = 55

const SEED = '1'

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]

/**
 * Runs schemathesis in a folder against the document that a service serves, and returns its exit code and output.
 * `ids` are those of existing records.
 */
async function fuzz({ url, key }: LocalRun, folder: string, ids: object): Promise<{ code: number; output: string }> {
  const command = join(dirname(pythonWith('openapi', pathOf('requirements.txt'))), 'schemathesis')
  const base_url = `${url}/api/v1`
  const options = [
    ...['--url', base_url, '--auth', `${key}:`, '--phases', 'coverage,fuzzing', '--checks', checks.join()],
    ...['--max-examples', String(RANDOM_CASES_OF_OPERATION), '--workers', '2', '--seed', SEED],
    ...['--no-shrink', '--continue-on-failure', '--suppress-health-check', 'all'],
  ]
  const child = spawn(command, ['run', `${base_url}/openapi.json`, ...options], {
    // The folder has no settings of schemathesis, and keeps its database of examples.
    cwd: folder,
    env: {
      ...process.env,
      SCHEMATHESIS_HOOKS: 'hooks',
      RECORD_IDS: JSON.stringify(ids),
      PYTHONPATH: pathOf('.'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => lines.push(String(chunk)))
  const [code] = (await once(child, 'close')) as [number]
  return { code, output: lines.join('') }
}

test('the service answers every fuzzed request as its document says', async () => {
  const [data_dir, folder] = [mkdtempSync(join(tmpdir(), 'fuzz-')), mkdtempSync(join(tmpdir(), 'schemathesis-'))]
  const sink = await openReceiver()
  const failures: string[] = []
  const run = await startLocally(data_dir, (line) => failures.push(...(line.includes('"trace"') ? [line] : [])), {
    NODE_OPTIONS: `--import=${pathOf('sink.ts')}`,
    SINK_PORT: new URL(sink.origin).port,
  })
  try {
    const { code, output } = await fuzz(run, folder, await recordsToFuzz(run))
    const cases = Number(/(\d+) generated/.exec(output)?.[1] ?? 0)
    console.log(`schemathesis sent ${cases} cases. The sink got ${sink.received.length} webhooks.`)
    expect(code, output).toBe(0)
    expect(cases).toBeGreaterThanOrEqual(CASES_MIN)
    expect(failures).toEqual([])
    expect(sink.received.length).toBeGreaterThan(0)
  } finally {
    await run.kill()
    await sink.close()
    for (const made of [data_dir, folder]) rmSync(made, { recursive: true, force: true })
  }
})
