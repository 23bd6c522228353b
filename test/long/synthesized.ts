import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { stageNames } from '#infra/stage.ts'

/** The tree of this checkout. */
export const tree_root = join(import.meta.dirname, '../..')

/** The source locations for the CDK's own messages, which are not deployed. */
const TRACES = '.metadata.json'

interface Synth {
  /** The output folder. */
  readonly into: string
  readonly stage: string
  /** The repository whose workflows may deploy the stage. Default: none. */
  readonly repository?: string | undefined
}

/** Runs the app of a tree for a stage. Returns the deployable files by path. */
export function synthesized(root: string, { into, stage, repository }: Synth): Map<string, string> {
  const deployment = repository && { repository, stages: stageNames.join(), oidc_provider_arn: 'none' }
  const context = { stage, ...deployment }
  const env = { ...process.env, CDK_OUTDIR: into, CDK_CONTEXT_JSON: JSON.stringify(context) }
  execFileSync(process.execPath, ['infra/app.ts'], { cwd: root, env })
  const entries = readdirSync(into, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.endsWith(TRACES),
  )
  return new Map(
    entries.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path.slice(into.length), readFileSync(path, 'latin1')]
    }),
  )
}

/** Copies the sources of the stacks to another folder and links the packages. */
export function copyTree(into: string): string {
  mkdirSync(into, { recursive: true })
  for (const name of ['functions', 'infra', 'shared', 'package.json', 'tsconfig.json'])
    cpSync(join(tree_root, name), join(into, name), { recursive: true })
  symlinkSync(join(tree_root, 'node_modules'), join(into, 'node_modules'))
  return into
}
