import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { DOCUMENT_FILE } from '#infra/openapi/document-file.ts'
import { accepted_warnings } from './accepted-warnings.ts'

/** A finding in the output of `redocly lint --format json`. */
interface Problem {
  readonly ruleId: string
  readonly severity: 'error' | 'warn'
  readonly message: string
  readonly location: readonly { readonly pointer?: string }[]
}

const PROBLEMS_MAX = 1_000
const MEGABYTE = 2 ** 20

const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js')
const options = ['--extends', 'recommended', '--format', 'json', '--max-problems', String(PROBLEMS_MAX)]
const { stdout, stderr } = spawnSync(process.execPath, [cli, 'lint', DOCUMENT_FILE, ...options], {
  encoding: 'utf8',
  // Without these, redocly sends usage data and looks for a newer version.
  env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' },
  maxBuffer: 64 * MEGABYTE,
})
if (!stdout.trimStart().startsWith('{')) throw new Error(`redocly failed: ${stderr}`)
const { problems } = JSON.parse(stdout) as { readonly problems: readonly Problem[] }

const placeOf = ({ location }: Problem): string => location[0]?.pointer ?? ''
const reasonFor = (problem: Problem): string | undefined =>
  accepted_warnings.find(({ rule, pointer }) => rule === problem.ruleId && pointer === placeOf(problem))?.reason

const failures = problems.filter((problem) => problem.severity === 'error' || !reasonFor(problem))
for (const problem of problems) {
  const verdict = failures.includes(problem) ? 'FAILED' : `accepted: ${reasonFor(problem)}`
  console.log(`${problem.severity} ${problem.ruleId} ${placeOf(problem)}\n  ${problem.message}\n  ${verdict}`)
}
const unused = accepted_warnings.filter(
  ({ rule, pointer }) => !problems.some((problem) => problem.ruleId === rule && placeOf(problem) === pointer),
)
for (const { rule, pointer } of unused) console.log(`no longer found, so remove it: ${rule} ${pointer}`)
const failed = failures.length + unused.length
if (failed > 0) process.exitCode = 1
console.log(`\n${failed > 0 ? 0 : 1} passed, ${failed} failed`)
