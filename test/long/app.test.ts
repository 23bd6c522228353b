import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Template } from 'aws-cdk-lib/assertions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundle } from '#infra/bundle.ts'
import { namesOf } from '#infra/names.ts'
import { propertiesOf } from '#infra/stage-definition.ts'
import { deliveryAddresses } from '#infra/stage-properties.ts'
import { backgroundFiles } from '#shared/background.ts'
import { servedFiles } from '#shared/routes.ts'
import { cellsOf, stage_cells } from '#test/long/stage-cells.ts'
import { copyTree, synthesized, tree_root } from '#test/long/synthesized.ts'

const MINUTES_MS = 5 * 60_000
const stage_names = ['dev', 'staging', 'prod'] as const

let folder: string
let copy: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'synth-'))
  copy = copyTree(join(folder, 'a copy', 'somewhere else'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The synthesized files of the first stage. */
let dev: Map<string, string>

/** An artifact in the manifest of an assembly. */
interface Artifact {
  readonly type: string
  readonly properties: { readonly terminationProtection?: boolean }
}

/** The stages. The first one has the stack that lets the workflows of a repository deploy it. */
const synths = stage_names.map((stage) => ({ stage, repository: stage === 'dev' ? 'shop/payments' : undefined }))

describe.each(synths)('the stacks of $stage', ({ stage, repository }) => {
  let once: Map<string, string>
  beforeAll(() => {
    once = synthesized(tree_root, { into: join(folder, stage), stage, repository })
    if (stage === 'dev') dev = once
  }, MINUTES_MS)

  const slots = stage === 'prod' ? ['Functions', 'FunctionsB'] : ['Functions']
  const stacks = ['Data', ...slots, 'Api', 'Operations']
  const properties = propertiesOf(stage)
  const addresses = deliveryAddresses(properties)
  const textOf = (stack: string) => once.get(`/${stack}.template.json`)!
  const templateOf = (stack: string) => Template.fromJSON(JSON.parse(textOf(stack)))
  const resourcesOf = (stack: string) => Object.values<{ Type: string }>(JSON.parse(textOf(stack)).Resources)

  test('are four, plus one for the second slot of prod, one for fixed addresses and one that lets the workflows of a repository deploy them', () => {
    const all = [...stacks, ...(addresses.length > 0 ? ['Network'] : []), ...(repository ? ['Deployment'] : [])]
    expect([...once.keys()].filter((path) => path.endsWith('.template.json')).sort()).toEqual(
      all.map((stack) => `/${stack}.template.json`).sort(),
    )
  })

  test(stage === 'dev' ? 'can be deleted' : 'are all protected against deletion', () => {
    const { artifacts } = JSON.parse(once.get('/manifest.json')!) as { artifacts: Record<string, Artifact> }
    const made = Object.entries(artifacts).filter(
      ([name, { type }]) => type === 'aws:cloudformation:stack' && name !== 'Deployment',
    )
    expect(made.length).toBeGreaterThanOrEqual(stacks.length)
    for (const [name, { properties }] of made)
      expect(properties.terminationProtection ?? false, name).toBe(stage !== 'dev')
  })

  test('contain no path of the machine that synthesized them', () => {
    const leaking = [...once].filter(([, text]) => text.includes(tree_root) || text.includes(folder))
    expect(leaking.map(([path]) => path)).toEqual([])
  })

  test('contain the name of their stage and of no other stage', () => {
    const others = stage_names.filter((name) => name !== stage)
    for (const stack of stacks) {
      expect(textOf(stack)).toContain(`payment-service-${stage}-`)
      for (const other of others) expect(textOf(stack)).not.toContain(`payment-service-${other}-`)
    }
  })

  test.each(stacks)(
    '%s exports nothing, imports only from the network, and stays far below the limits of CloudFormation',
    (stack) => {
      const imports = slots.includes(stack) && addresses.length > 0
      expect(textOf(stack)).not.toMatch(
        imports ? /Fn::GetStackOutput|"Export"/ : /Fn::ImportValue|Fn::GetStackOutput|"Export"/,
      )
      expect(resourcesOf(stack).length).toBeLessThan(450)
      expect(textOf(stack).length).toBeLessThan(900_000)
    },
  )

  test('have the properties that distinguish this stage from the others', () => {
    const [data, functions, api, operations] = ['Data', 'Functions', 'Api', 'Operations'].map(templateOf) as [
      Template,
      Template,
      Template,
      Template,
    ]
    const expected = Object.entries(stage_cells).map(([cell, values]) => [cell, values[stage]])
    expect(cellsOf({ data, functions, api, operations })).toEqual(Object.fromEntries(expected))
  })

  test("have the domain, the alarm addresses and the gateways of the stage's definition", () => {
    const { domain, alarm_emails } = properties
    const count = (stack: string, type: string) => Object.keys(templateOf(stack).findResources(`AWS::${type}`)).length
    expect(count('Api', 'ApiGateway::DomainName')).toBe(domain === 'none' ? 0 : 1)
    expect(count('Operations', 'SNS::Subscription')).toBe(alarm_emails === 'none' ? 0 : alarm_emails.length)
    if (addresses.length > 0) expect(count('Network', 'EC2::NatGateway')).toBe(addresses.length)
  })
})

describe('a copy of the tree in another folder', () => {
  const into = (name: string) => ({ into: join(folder, name), ...synths[0]! })
  const files = [...servedFiles(), ...backgroundFiles]
  let changes = 0
  let before: Map<string, string>
  beforeAll(() => {
    before = synthesized(copy, into('before'))
  }, MINUTES_MS)

  test('produces identical bytes', () => {
    expect([...before.keys()].sort()).toEqual([...dev.keys()].sort())
    expect([...dev.keys()].filter((path) => dev.get(path) !== before.get(path))).toEqual([])
  })

  /** The output that changes with a file: the functions whose code differs, and the other paths that differ. */
  function changedBy(path: string, text: string) {
    appendFileSync(join(copy, path), text)
    const after = synthesized(copy, into(`after-${++changes}`))
    const differing = [...after.keys()].filter((name) => after.get(name) !== before.get(name))
    const [was, is] = [before, after].map(codeOf) as [Map<string, string>, Map<string, string>]
    const functions = [...is.keys()].filter((name) => is.get(name) !== was.get(name))
    before = after
    return { functions, others: differing.filter((name) => !carries_code.test(name)) }
  }

  test('deploys only the function of a handler after a change of that handler', () => {
    expect(changedBy('functions/payments/show.ts', '\nglobalThis.name = "x"\n')).toEqual({
      functions: [namesOf('dev').function('payments/show')],
      others: [],
    })
  }, 600_000)

  test('deploys only the functions that import a shared file after a change of that file', () => {
    const path = 'shared/settlements/settle-week.ts'
    const { functions, others } = changedBy(path, '\nglobalThis.name = "y"\n')
    const { outputs } = bundle(files, { root: copy, into: join(folder, 'bundles') })
    const reaching = files.filter((file) =>
      Object.entries(outputs).some(([output, { inputs }]) => output.endsWith(`/${file}/index.js`) && path in inputs),
    )
    expect(functions.sort()).toEqual(reaching.map(namesOf('dev').function).sort())
    expect(functions).toContain(namesOf('dev').function('background/chores'))
    expect(functions.length).toBeLessThan(files.length / 10)
    expect(others).toEqual([])
  }, 600_000)
})

/** The files that contain or locate the code of functions. */
const carries_code = /^\/(asset\.|Functions\.|(manifest|tree)\.json$)/

/** The location of each function's code, by the name of the function. */
function codeOf(synth: Map<string, string>): Map<string, string> {
  const functions = Template.fromJSON(JSON.parse(synth.get('/Functions.template.json')!))
  return new Map(
    Object.values(functions.findResources('AWS::Lambda::Function')).map(({ Properties }) => [
      Properties.FunctionName,
      Properties.Code.S3Key,
    ]),
  )
}
