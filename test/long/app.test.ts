import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const MINUTES_MS = 5 * 60_000
const root = join(import.meta.dirname, '../..')

/** What one run of the app for a stage leaves, by path. */
function synthesized(into: string, context: Readonly<Record<string, string | undefined>>): Map<string, string> {
  const env = { ...process.env, CDK_OUTDIR: into, CDK_CONTEXT_JSON: JSON.stringify(context) }
  execFileSync(process.execPath, ['infra/app.ts'], { cwd: root, env })
  const entries = readdirSync(into, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    entries.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path.slice(into.length), readFileSync(path, 'latin1')]
    }),
  )
}

const contexts = [{ stage: 'dev', repository: 'shop/payments' }, { stage: 'staging' }, { stage: 'prod' }]

describe.each(contexts)('the stacks of $stage', (context) => {
  const { stage, repository } = context
  let folder: string
  let once: Map<string, string>
  let again: Map<string, string>
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'synth-'))
    once = synthesized(join(folder, 'once'), context)
    again = synthesized(join(folder, 'again'), context)
  }, MINUTES_MS)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const stacks = ['Data', 'Functions', 'Api', 'Operations']
  const templateOf = (stack: string) => once.get(`/${stack}.template.json`)!
  const resourcesOf = (stack: string) => Object.values<{ Type: string }>(JSON.parse(templateOf(stack)).Resources)

  test('are four, and where a repository is named one more lets its workflows deploy them', () => {
    const all = repository === undefined ? stacks : [...stacks, 'Deployment']
    expect([...once.keys()].filter((path) => path.endsWith('.template.json')).sort()).toEqual(
      all.map((stack) => `/${stack}.template.json`).sort(),
    )
  })

  test('are the same to the byte each time', () => {
    expect([...again.keys()]).toEqual([...once.keys()])
    expect([...once.keys()].filter((path) => once.get(path) !== again.get(path))).toEqual([])
  })

  test('bear its name, and no other stage is in them', () => {
    const others = ['dev', 'staging', 'prod'].filter((name) => name !== stage)
    for (const stack of stacks) {
      expect(templateOf(stack)).toContain(`payment-service-${stage}-`)
      for (const other of others) expect(templateOf(stack)).not.toContain(`payment-service-${other}-`)
    }
  })

  test.each(stacks)('%s takes nothing from another and stays far from the limits of CloudFormation', (stack) => {
    expect(templateOf(stack)).not.toMatch(/Fn::ImportValue|Fn::GetStackOutput|"Export"/)
    expect(resourcesOf(stack).length).toBeLessThan(450)
    expect(templateOf(stack).length).toBeLessThan(900_000)
  })
})
