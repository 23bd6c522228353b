import { describe, expect, test } from 'vitest'
import { namesOf } from '#infra/names.ts'
import type { Stage } from '#infra/stage.ts'
import { type PropertyName, propertyNames } from '#infra/stage-properties.ts'
import { deploymentOf, stacksOf } from '#test/fixtures/stage-stacks.ts'
import { allProperties, fullStageOf, stageOf } from '#test/fixtures/stages.ts'
import { CloudFormation, exportsOf, importsOf } from '#test/infra/stacks/cloud-formation.ts'

const names = namesOf('prod')
const stackNames = (stacks: readonly { name: string }[]) => stacks.map(({ name }) => name)
const stack = (name: string) => names.stack(name)

const on = allProperties.fixed_addresses
const inside = stageOf('prod', { fixed_addresses: on })
const outside = stageOf('prod', { fixed_addresses: { ...on, on: false } })
const never = stageOf('prod')
const full = fullStageOf('prod')
const without = Object.fromEntries(
  propertyNames.map((name) => [name, stageOf('prod', { ...allProperties, [name]: 'none' })]),
) as Record<PropertyName, Stage>
// Stacks take seconds on a busy machine, which no test is given.
for (const stage of [inside, outside, never, full, ...Object.values(without)]) deploymentOf(stage)

describe('the stacks of a stage', () => {
  test('are deployed after those that they need, and the network before the functions that are in it', () => {
    expect(stackNames(deploymentOf(never))).toEqual(['data', 'functions', 'api', 'operations'].map(stack))
    const deployment = deploymentOf(inside)
    const place = (name: string) => stackNames(deployment).indexOf(stack(name))
    expect(deployment).toHaveLength(5)
    expect(place('network')).toBeLessThan(place('functions'))
    const functions = deployment.find(({ name }) => name === stack('functions'))!
    expect([...functions.dependencies].sort()).toEqual([stack('data'), stack('network')])
  })

  test('take nothing from each other by export, except the functions from the network', () => {
    for (const one of deploymentOf(full)) {
      const { name } = one
      expect(importsOf(one).size > 0, name).toBe(name === stack('functions'))
      expect(exportsOf(one).size > 0, name).toBe(name === stack('network'))
      expect(JSON.stringify(one.template), name).not.toContain('Fn::GetStackOutput')
    }
  })
})

describe('prod with fixed addresses and without', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a template has every shape
  const templateOf = (stage: Stage, name: 'data' | 'functions' | 'api' | 'operations'): any =>
    stacksOf(stage)[name].toJSON()
  const vpcOf = (stage: Stage) =>
    Object.values<{ Type: string; Properties: { FunctionName: string; VpcConfig?: object } }>(
      templateOf(stage, 'functions').Resources,
    ).flatMap(({ Type, Properties }) =>
      Type === 'AWS::Lambda::Function' && Properties.VpcConfig ? [[Properties.FunctionName, Properties.VpcConfig]] : [],
    )

  test.each(['data', 'api', 'operations'] as const)('has the same %s stack', (name) => {
    expect(templateOf(inside, name)).toEqual(templateOf(outside, name))
    expect(templateOf(inside, name)).toEqual(templateOf(never, name))
  })

  test('has a network stack only with them', () => {
    expect([inside, outside, never].map((stage) => 'network' in stacksOf(stage))).toEqual([true, false, false])
  })

  test('has the function that delivers in the subnets only with them, and no other function', () => {
    const imported = (name: string) => ({ 'Fn::ImportValue': name })
    const SubnetIds = [0, 1].map((zone) => imported(names.deliverySubnet(zone)))
    const SecurityGroupIds = [imported(names.deliverySecurityGroup)]
    expect(vpcOf(inside)).toEqual([[names.function('background/deliver'), { SubnetIds, SecurityGroupIds }]])
    expect(vpcOf(outside)).toEqual([])
    expect(JSON.stringify(templateOf(never, 'functions'))).not.toMatch(/VpcConfig|ec2:/)
  })

  test('differs in its functions by those subnets alone while the addresses are kept', () => {
    const resources = structuredClone(templateOf(inside, 'functions').Resources)
    for (const { Properties } of Object.values<{ Properties: object }>(resources))
      if ('VpcConfig' in Properties) delete Properties.VpcConfig
    expect(templateOf(outside, 'functions').Resources).toEqual(resources)
  })

  /** An account with prod in it, as its definition with fixed addresses made it. */
  function account(): CloudFormation {
    const cloud = new CloudFormation()
    for (const one of deploymentOf(inside)) cloud.deploy(one)
    return cloud
  }

  test('deletes nothing when the addresses are switched off, wherever the deployment stops', () => {
    const cloud = account()
    for (const one of deploymentOf(outside)) {
      expect(cloud.deploy(one), one.name).toEqual([])
      expect(cloud.names).toContain(stack('network'))
    }
  })

  test('keeps its network from being deleted until the functions have left the subnets', () => {
    const cloud = account()
    const network = { protectionLifted: true }
    expect(() => cloud.delete(stack('network'), { protectionLifted: false })).toThrow('protected from termination')
    for (const one of deploymentOf(outside)) {
      const left = one.name === stack('functions')
      expect(() => cloud.delete(stack('network'), network)).toThrow(`in use by ${stack('functions')}`)
      cloud.deploy(one)
      if (left) break
    }
    cloud.delete(stack('network'), network)
    expect(cloud.names).not.toContain(stack('network'))
  })

  test('keeps its functions out of a network that is not there', () => {
    const cloud = new CloudFormation()
    const [data, functions] = ['data', 'functions'].map(
      (name) => deploymentOf(inside).find((one) => one.name === stack(name))!,
    )
    cloud.deploy(data!)
    expect(() => cloud.deploy(functions!)).toThrow(/^No export named payment-service-prod-delivery-/)
  })

  test('has the same addresses when they are switched on again after the network was deleted', () => {
    const cloud = account()
    for (const one of deploymentOf(outside)) cloud.deploy(one)
    cloud.delete(stack('network'), { protectionLifted: true })
    for (const one of deploymentOf(stageOf('prod', { fixed_addresses: { ...on } }))) cloud.deploy(one)
    const gateways = Object.values(stacksOf(inside).network!.findResources('AWS::EC2::NatGateway'))
    expect(gateways.map(({ Properties }) => Properties.AllocationId)).toEqual(
      on.addresses.map(({ allocation_id }) => allocation_id),
    )
  })

  test('has no address in any template, so no deployment makes or releases one', () => {
    for (const { name, template } of deploymentOf(inside))
      expect(JSON.stringify(template), name).not.toContain('AWS::EC2::EIP')
  })
})

describe('taking a property away from prod', () => {
  /** What a deployment without the property deletes, because nothing is left of its use. */
  const deleted: Readonly<Record<PropertyName, readonly string[]>> = {
    domain: [],
    alarm_emails: ['AWS::SNS::Subscription'],
    fixed_addresses: [],
  }

  test.each(propertyNames)('%s deletes nothing that is still in use', (property) => {
    const cloud = new CloudFormation()
    for (const one of deploymentOf(full)) cloud.deploy(one)
    expect(deploymentOf(without[property]).flatMap((one) => cloud.deploy(one))).toEqual(deleted[property])
  })
})
