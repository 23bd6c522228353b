import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { stageNames } from '#infra/stage.ts'

/** The tree that the tests are in. */
export const tree_root = join(import.meta.dirname, '../..')

/** Tells the CDK's own messages where in the tree each thing was made; it is deployed nowhere. */
const TRACES = '.metadata.json'

interface Synth {
  /** The folder that it is written to. */
  readonly into: string
  readonly stage: string
  /** The repository whose workflows may deploy it; without, none. */
  readonly repository?: string | undefined
}

/** What one run of the app of a tree for a stage leaves to be deployed, by path. */
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

/** Copies what a stage is made of to another place, without the packages, which it finds where they are. */
export function copyTree(into: string): string {
  mkdirSync(into, { recursive: true })
  for (const name of ['functions', 'infra', 'shared', 'package.json', 'tsconfig.json'])
    cpSync(join(tree_root, name), join(into, name), { recursive: true })
  symlinkSync(join(tree_root, 'node_modules'), join(into, 'node_modules'))
  return into
}
