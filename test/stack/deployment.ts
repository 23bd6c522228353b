import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { namesOf } from '#infra/names.ts'
import { type Emulator, withoutAccount } from './emulator.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const MINUTES_MS = 60_000

/** The stage that is deployed to the emulator. */
export const STAGE = 'dev'

/** A stage that `cdk deploy` has created in an emulator. */
export interface Deployment {
  /** The output folder of `cdk synth`. */
  readonly assembly: string
  /** The base URL of the API, with a host name and a port of this machine. */
  readonly url: string
}

/** Runs the CDK's command line against the emulator. Throws its output on failure. */
export async function cdk(env: Emulator['env'], ...words: readonly string[]): Promise<string> {
  const command = [join(root, 'node_modules/aws-cdk/bin/cdk'), ...words]
  try {
    const options = { cwd: root, env: { ...withoutAccount(), ...env, CI: 'true' }, timeout: 10 * MINUTES_MS }
    return (await run(process.execPath, command, { ...options, maxBuffer: 64 * 1024 * 1024 })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    throw new Error(`cdk ${words[0]} failed:\n${stdout}\n${stderr}`, { cause: error })
  }
}

/**
 * Synthesizes a stage, bootstraps the account of the emulator and deploys the stacks of the API, as in an AWS account.
 */
export async function deploy(emulator: Emulator, stage = STAGE): Promise<Deployment> {
  // The folder is outside of the project. Inside it, Node would load the bundles as ES modules because of package.json.
  const assembly = join(emulator.scratch, 'assembly')
  await cdk(emulator.env, 'synth', '--quiet', '-c', `stage=${stage}`, '--output', assembly)
  await cdk(emulator.env, 'bootstrap', 'aws://000000000000/us-east-1', '--app', assembly)
  const outputs = join(emulator.scratch, 'outputs.json')
  await deployStack(emulator.env, assembly, 'Api', '--outputs-file', outputs)
  const { BaseUrl } = JSON.parse(readFileSync(outputs, 'utf8'))[namesOf(stage).stack('api')]
  return { assembly, url: localUrl(emulator, BaseUrl) }
}

/** Deploys a stack of an assembly after the stacks that it depends on. */
export const deployStack = (env: Emulator['env'], assembly: string, stack: string, ...more: readonly string[]) =>
  cdk(env, 'deploy', stack, '--app', assembly, '--require-approval', 'never', '--progress', 'events', ...more)

/**
 * Maps `https://<api>.execute-api.us-east-1.amazonaws.com/dev/api/v1` to
 * `https://<api>.execute-api.localhost:<port>/dev/api/v1`.
 */
function localUrl(emulator: Emulator, base_url: string): string {
  const { hostname, pathname } = new URL(base_url)
  return `https://${hostname.split('.')[0]}.execute-api.localhost:${new URL(emulator.url).port}${pathname}`
}

/** A template of an assembly. */
export interface Template {
  readonly Resources: Record<string, { readonly Type: string; readonly Properties: Record<string, unknown> }>
}

/** The template of a stack in an assembly. */
export const templateOf = (assembly: string, stack: string): Template =>
  JSON.parse(readFileSync(join(assembly, `${stack}.template.json`), 'utf8'))

/** Removes resources from a template of an assembly. */
export function removeFrom(assembly: string, stack: string, ids: readonly string[]): void {
  const { Resources, ...rest } = templateOf(assembly, stack)
  const kept = Object.entries(Resources).filter(([id]) => !ids.includes(id))
  const template = JSON.stringify({ ...rest, Resources: Object.fromEntries(kept) })
  writeFileSync(join(assembly, `${stack}.template.json`), template)
}
