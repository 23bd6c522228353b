import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { stageNames } from '#infra/stage.ts'
import { pythonWith } from '#test/fixtures/python.ts'
import { deploymentArtifact, stageArtifacts } from '#test/fixtures/stage-stacks.ts'
import { fullStageOf } from '#test/fixtures/stages.ts'
import { accepted } from './accepted.ts'
import { validationFindings } from './cdk-validation.ts'
import { type Finding, verdictsOn } from './verdicts.ts'

const TEMPLATE = '.template.json'

/** A finding in the output of `cfn-lint --format json`. */
interface Match {
  readonly Filename: string
  readonly Level: string
  readonly Message: string
  readonly Rule: { readonly Id: string }
  readonly Location: { readonly Path: readonly (string | number)[] | null }
}

/** Copies the templates of folders that `cdk synth` has written. */
function copySynthesized(folders: readonly string[], into: string): void {
  if (folders.length === 0) throw new Error('Name the folders that `cdk synth --output` has filled.')
  for (const folder of folders) {
    const files = readdirSync(folder).filter((file) => file.endsWith(TEMPLATE))
    if (files.length === 0) throw new Error(`There is no template in ${folder}.`)
    mkdirSync(join(into, basename(folder)))
    for (const file of files) copyFileSync(join(folder, file), join(into, basename(folder), file))
  }
}

/** Creates the templates of every stage with all properties, and the template of the roles that deploy. */
function makeOthers(into: string): void {
  const others = stageNames.map((name) => [`${name}-with-everything`, stageArtifacts(fullStageOf(name))] as const)
  for (const [folder, artifacts] of [...others, ['deployment', [deploymentArtifact(stageNames)]] as const]) {
    mkdirSync(join(into, folder))
    for (const { id, templateFullPath } of artifacts)
      copyFileSync(templateFullPath, join(into, folder, `${id}${TEMPLATE}`))
  }
}

/**
 * The findings of cfn-lint in all templates of a folder. The templates are shared among one process per core, the
 * longest first.
 */
async function findingsIn(templates: readonly string[], folder: string): Promise<Finding[]> {
  const python = pythonWith('cfn-lint', fileURLToPath(new URL('requirements.txt', import.meta.url)))
  const command = join(dirname(python), 'cfn-lint')
  const longestFirst = templates.toSorted((a, b) => statSync(join(folder, b)).size - statSync(join(folder, a)).size)
  const shares = Array.from({ length: availableParallelism() }, (_, core) =>
    longestFirst.filter((_, index) => index % availableParallelism() === core),
  )
  const found = await Promise.all(
    shares.filter((share) => share.length > 0).map((share) => lint(command, share, folder)),
  )
  return found.flat().map((match) => findingOf(match, folder))
}

async function lint(command: string, templates: readonly string[], folder: string): Promise<Match[]> {
  const args = ['--format', 'json', '--non-zero-exit-code', 'none', '--', ...templates]
  // Settings in the user's home folder must not switch off rules.
  const env = { ...process.env, HOME: folder }
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder, env, maxBuffer: 2 ** 28 })
  return JSON.parse(stdout)
}

function findingOf({ Filename, Level, Message, Rule, Location }: Match, folder: string): Finding {
  const path = Location.Path ?? []
  const { Resources } = JSON.parse(readFileSync(join(folder, Filename), 'utf8'))
  const type = path[0] === 'Resources' ? Resources[path[1]!]?.Type : undefined
  const place = type === undefined ? path.join('.') : `${type} ${path.slice(2).join('.')}`
  return { template: Filename, level: Level, rule: Rule.Id, place, message: Message }
}

const folder = mkdtempSync(join(tmpdir(), 'cfn-lint-'))
try {
  copySynthesized(process.argv.slice(2), folder)
  makeOthers(folder)
  const templates = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(TEMPLATE))
  const findings = [...(await findingsIn(templates, folder)), ...validationFindings(templates, folder)]
  const verdicts = verdictsOn(templates.sort(), findings, accepted)
  for (const { about, complaints } of verdicts) {
    console.log(`${complaints.length === 0 ? '✓' : '✗'} ${about}`)
    for (const complaint of complaints) console.log(`    ${complaint}`)
  }
  const failed = verdicts.filter(({ complaints }) => complaints.length > 0).length
  console.log(`\n${verdicts.length - failed} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
