import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { bundle, bundleOptions } from '#infra/bundle.ts'
import { backgroundFiles } from '#shared/background.ts'
import { servedFiles } from '#shared/routes.ts'
import { heading, mark, median, note, table } from './report.ts'

const root = join(import.meta.dirname, '../..')
const files = [...servedFiles(), ...backgroundFiles]

const RUNS = 5
const RATIO_AT_MOST = 1.2

/** The function that loads the adapter of Stripe most often, and how much longer it may load because of it. */
const CHARGING = 'payments/create'
const CHARGING_RUNS = 31
const WITH_STRIPE_AT_MOST = 1.05

/** Measures the load time of each function's bundle beside a bundle of the DynamoDB client. */
export function importTimeBench(): void {
  heading('Time to import each bundle')
  note(
    `Medians of the processor time of ${RUNS} runs, each in a new process. Before each run of a bundle, a comparison`,
    'bundle of the same kind runs (CommonJS, minified) of a file that imports only the DynamoDB client of the AWS SDK,',
    'as its package is. The ratio is to this neighbouring run, so that other load of the machine affects both.',
  )
  const folder = mkdtempSync(join(tmpdir(), 'import-time-'))
  try {
    const client = clientBundle(folder)
    bundle(files, { root, into: join(folder, 'service') })
    const paths = files.map((file) => join(folder, 'service', file, 'index.js'))
    const times = timesBeside(client, paths)
    const rows = files.map((file, at) => {
      const [time, base] = [median(times[at]!.map(({ own }) => own)), median(times[at]!.map(({ beside }) => beside))]
      const ratio = median(times[at]!.map(({ own, beside }) => own / beside))
      const aim = mark({ value: ratio, at_most: RATIO_AT_MOST })
      return [file, kilobytes(paths[at]!), time.toFixed(1), base.toFixed(1), ratio.toFixed(2), aim]
    })
    table(['bundle', 'KB', 'CPU ms', `client (${kilobytes(client)} KB) CPU ms`, 'ratio', 'aim'], rows)
    chargingBench(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures how much longer the function that charges takes to load because it can charge at Stripe. */
export function chargingBench(folder: string): void {
  const path = join(folder, 'service', CHARGING, 'index.js')
  const without = bundleWithoutStripe(folder)
  const times = Array.from({ length: CHARGING_RUNS }, () => ({ beside: timeOf(without), own: timeOf(path) }))
  const ratio = median(times.map(({ own, beside }) => own / beside))
  note(`The same bundle beside one without the adapter of Stripe: medians of ${CHARGING_RUNS} runs.`)
  const [time, base] = [median(times.map(({ own }) => own)), median(times.map(({ beside }) => beside))]
  const aim = mark({ value: ratio, at_most: WITH_STRIPE_AT_MOST })
  table(
    ['bundle', 'KB', 'CPU ms', `without Stripe (${kilobytes(without)} KB) CPU ms`, 'ratio', 'aim'],
    [[CHARGING, kilobytes(path), time.toFixed(1), base.toFixed(1), ratio.toFixed(2), aim]],
  )
}

/** Bundles the function from a copy of the sources whose adapter of Stripe is empty. */
function bundleWithoutStripe(folder: string): string {
  const project = join(folder, 'without-stripe')
  for (const source of ['shared', 'functions', 'package.json'])
    cpSync(join(root, source), join(project, source), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
  const adapter = join(project, 'shared/acquirer/stripe')
  writeFileSync(join(adapter, 'acquirer.ts'), 'export const stripe = () => undefined')
  writeFileSync(join(adapter, 'reports.ts'), 'export const stripeReports = () => undefined')
  const into = join(folder, 'bundles-without-stripe')
  bundle([CHARGING], { root: project, into })
  return join(into, CHARGING, 'index.js')
}

/** Bundles the client with the options of the functions, in a project of its own with the packages of this one. */
function clientBundle(folder: string): string {
  const project = join(folder, 'project')
  mkdirSync(project)
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
  writeFileSync(
    join(project, 'client.ts'),
    `import { DynamoDBClient } from '@aws-sdk/client-dynamodb'\nexport const client = new DynamoDBClient({})\n`,
  )
  const outfile = join(folder, 'client/index.js')
  buildSync({ ...bundleOptions(project), entryPoints: ['client.ts'], outfile })
  return outfile
}

/** The load times of each file in each run, and those of the comparison just before, in milliseconds. */
function timesBeside(comparison: string, paths: readonly string[]): { own: number; beside: number }[][] {
  const times = paths.map((): { own: number; beside: number }[] => [])
  for (let run = 0; run < RUNS; run++)
    for (const [at, path] of paths.entries()) times[at]!.push({ beside: timeOf(comparison), own: timeOf(path) })
  return times
}

const timeOf = (path: string): number =>
  Number(execFileSync(process.execPath, ['--eval', LOAD, path], { env, encoding: 'utf8' }))

const LOAD = `const began = process.cpuUsage(); require(process.argv[1])
const { user, system } = process.cpuUsage(began); console.log((user + system) / 1000)`
const env = { ...process.env, AWS_REGION: 'us-east-1' }

const kilobytes = (path: string): number => Math.round(statSync(path).size / 1024)
