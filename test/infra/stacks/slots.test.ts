import { App } from 'aws-cdk-lib'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { describe, expect, test } from 'vitest'
import { alarmsOf } from '#infra/constructs/alarms.ts'
import { namesInSlot, namesOf, SLOTS, type Slot } from '#infra/names.ts'
import { stageStacks } from '#infra/stacks/stage-stacks.ts'
import type { Stage } from '#infra/stage.ts'
import { backgroundFiles } from '#shared/background.ts'
import { servedFiles } from '#shared/routes.ts'
import { type DeployedStack, everyStage } from '#test/fixtures/stage-stacks.ts'
import { fullStageOf, stageOf } from '#test/fixtures/stages.ts'
import { CloudFormation } from './cloud-formation.ts'

/** The stacks of a stage as they are deployed. With a slot, they are those of a release into this slot. */
function stacksOf(stage: Stage, slot?: Slot): DeployedStack[] {
  const app = new App()
  stageStacks(app, stage, (file) => Code.fromInline(file), slot)
  return app.synth().stacks.map(({ stackName, template, terminationProtection = false }) => ({
    name: stackName,
    template,
    terminationProtection,
    dependencies: [],
  }))
}

const prod = stageOf('prod')
const everything = fullStageOf('prod')
/** The stage as it was deployed before it had slots. */
const before = { ...everything, hasSlots: false }
const plain = stacksOf(everything)
const [into_a, into_b] = SLOTS.map((slot) => stacksOf(everything, slot)) as [DeployedStack[], DeployedStack[]]
const from = stacksOf(before)
// biome-ignore lint/suspicious/noExplicitAny: templates have every shape
const templateIn = (stacks: readonly DeployedStack[], name: string): any =>
  stacks.find((stack) => stack.name === `payment-service-prod-${name}`)!.template

const files = [...servedFiles(), ...backgroundFiles]

describe('the resources of each stack', () => {
  test.each(everyStage)('of %s are at most 450, of the 500 that CloudFormation allows', (_, stage) => {
    for (const { name, template } of stacksOf(stage))
      expect(Object.keys(template.Resources).length, name).toBeLessThanOrEqual(450)
  })
})

describe('a plain deployment of a stage with slots', () => {
  const refusal = {
    Assertions: [
      {
        Assert: { 'Fn::Equals': [{ Ref: 'Released' }, 'by npm run release'] },
        AssertDescription: 'Deploy this stage with: npm run release -- --stage prod',
      },
    ],
  }

  test('is refused by CloudFormation in every stack', () => {
    for (const { name, template } of plain) {
      expect(template.Rules.ReleasedOnly, name).toEqual(refusal)
      expect(template.Parameters.Released.Default, name).toBe('no')
    }
  })

  test('has no parameter that a release leaves behind, so that no former value can allow it', () => {
    for (const { name, template } of [...into_a, ...into_b]) {
      expect(template.Rules?.ReleasedOnly, name).toBeUndefined()
      expect(template.Parameters?.Released, name).toBeUndefined()
    }
  })

  test.each(['dev', 'staging'])('is how %s is deployed', (name) => {
    for (const { template } of stacksOf(stageOf(name))) expect(template.Rules?.ReleasedOnly).toBeUndefined()
  })
})

describe('a release into a slot', () => {
  test('deploys the functions of this slot and leaves those of the other slot alone', () => {
    const names = (stacks: readonly DeployedStack[]) =>
      stacks.map(({ name }) => name.replace('payment-service-prod-', ''))
    expect(names(into_a)).toEqual(['data', 'network', 'functions', 'api', 'operations'])
    expect(names(into_b)).toEqual(['data', 'network', 'functions-b', 'api', 'operations'])
    for (const name of ['data', 'network', 'api', 'operations'])
      expect(templateIn(into_a, name), name).toEqual(templateIn(into_b, name))
  })

  test.each([
    ['functions', into_a],
    ['functions-b', into_b],
  ] as const)('leaves the background functions of %s off', (stack, stacks) => {
    // biome-ignore lint/suspicious/noExplicitAny: properties have every shape
    const resources = Object.values<any>(templateIn(stacks, stack).Resources)
    const of = (type: string) => resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties)
    expect(of('AWS::Lambda::EventSourceMapping').map(({ Enabled }) => Enabled)).toEqual(Array(5).fill(false))
    expect(of('AWS::Events::Rule').map(({ State }) => State)).toEqual(['DISABLED'])
  })

  test('creates a deployment of the API, and lets the stage stay with the one that serves', () => {
    const { Resources, Outputs, Conditions } = templateIn(into_b, 'api')
    const { Properties: stage } = Object.values<{ Type: string; Properties: Record<string, unknown> }>(Resources).find(
      ({ Type }) => Type === 'AWS::ApiGateway::Stage',
    )!
    const next = Outputs.NextDeployment.Value
    expect(Conditions.IsFirst).toEqual({ 'Fn::Equals': [{ Ref: 'LiveDeployment' }, 'none'] })
    expect(stage.DeploymentId).toEqual({ 'Fn::If': ['IsFirst', next, { Ref: 'LiveDeployment' }] })
    expect(stage.Variables).toEqual({ functions: { Ref: 'LiveFunctions' } })
    expect(Resources[next.Ref]).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })
  })

  test('leads every operation to a function that both slots have, with the prefix of the slot as a variable', () => {
    const text = JSON.stringify(templateIn(into_b, 'api'))
    const tails = new Set(
      [...text.matchAll(/function:\$\{stageVariables\.functions\}-([\w-]+)\/invocations/g)].map(([, tail]) => tail),
    )
    expect(tails.size).toBe(servedFiles().length + 1)
    for (const [slot, stacks, stack] of [
      ['a', into_a, 'functions'],
      ['b', into_b, 'functions-b'],
    ] as const) {
      const { prefix } = namesInSlot('prod', slot)
      // biome-ignore lint/suspicious/noExplicitAny: properties have every shape
      const functions = Object.values<any>(templateIn(stacks, stack).Resources).flatMap(({ Type, Properties }) =>
        Type === 'AWS::Lambda::Function' ? [Properties.FunctionName] : [],
      )
      for (const tail of tails) expect(functions).toContain(`${prefix}-${tail}`)
    }
  })

  test('names every function differently in each slot, within the limit of Lambda', () => {
    const all = SLOTS.flatMap((slot) => files.map(namesInSlot('prod', slot).function))
    expect(new Set(all).size).toBe(2 * files.length)
    for (const name of all) expect(name.length).toBeLessThanOrEqual(64)
  })

  test('is watched by alarms that exist: server errors, latency, unresolved charges and failed work', () => {
    const alarms = alarmsOf(namesOf('prod'), prod).map(({ name }) => name)
    for (const slot of SLOTS) {
      const watched = namesInSlot('prod', slot).alarms
      expect(watched).toHaveLength(4)
      for (const name of watched) expect(alarms).toContain(name)
    }
    expect(alarms).toHaveLength(18)
  })

  test('lets the rules of both slots report failed sweeps', () => {
    const text = JSON.stringify(templateIn(into_b, 'data'))
    for (const slot of SLOTS) expect(text).toContain(`:rule/${namesInSlot('prod', slot).everyMinute}"`)
  })
})

describe('a stage that was deployed before it had slots', () => {
  test('becomes slot a: the stack, the names and the API stay', () => {
    expect(templateIn(from, 'functions').Resources).toBeDefined()
    const short = files.filter((file) => namesOf('prod').function(file).length <= 62)
    for (const file of short) expect(namesInSlot('prod', 'a').function(file)).toBe(namesOf('prod').function(file))
    const stageIdOf = (stacks: readonly DeployedStack[]) =>
      Object.entries<{ Type: string }>(templateIn(stacks, 'api').Resources).find(
        ([, { Type }]) => Type === 'AWS::ApiGateway::Stage',
      )![0]
    expect(stageIdOf(into_b)).toBe(stageIdOf(from))
  })

  test('is updated by releases into b and then into a, without two resources of one name at a time', () => {
    const cloud = new CloudFormation()
    for (const stack of from) cloud.deploy(stack)
    const deleted = [...into_b, ...into_a, ...into_b].flatMap((stack) => cloud.deploy(stack))
    // The release has moved the stage to a copy before.
    expect(deleted).toEqual(['AWS::ApiGateway::Deployment'])
    expect(cloud.names.sort()).toEqual(
      ['api', 'data', 'functions', 'functions-b', 'network', 'operations'].map(namesOf('prod').stack),
    )
  })

  test('refuses a function that moves to another stack under its name', () => {
    const cloud = new CloudFormation()
    for (const stack of from) cloud.deploy(stack)
    const moved = { ...templateIn(from, 'functions') }
    expect(() =>
      cloud.deploy({ name: 'another', template: moved, terminationProtection: false, dependencies: [] }),
    ).toThrow(/already exists/)
  })

  test('serves from the functions of slot a until the first shift', () => {
    expect(templateIn(into_b, 'api').Parameters.LiveFunctions.Default).toBe(namesInSlot('prod', 'a').prefix)
    // Nothing of the first release changes a function that serves.
    expect(into_b.map(({ name }) => name)).not.toContain(namesInSlot('prod', 'a').stack)
  })
})
