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
const switched_on = stageOf('prod', { fixed_addresses: on })
const switched_off = stageOf('prod', { fixed_addresses: { ...on, on: false } })
const no_addresses = stageOf('prod')
const full = fullStageOf('prod')
const without = Object.fromEntries(
  propertyNames.map((name) => [name, stageOf('prod', { ...allProperties, [name]: 'none' })]),
) as Record<PropertyName, Stage>
// Synthesis takes seconds on a busy machine, so it runs outside of the timeouts of the tests.
for (const stage of [switched_on, switched_off, no_addresses, full, ...Object.values(without)]) deploymentOf(stage)

describe('the stacks of a stage', () => {
  test('are deployed after the stacks that they depend on, and the network before the functions', () => {
    expect(stackNames(deploymentOf(no_addresses))).toEqual(
      ['data', 'functions', 'functions-b', 'api', 'operations'].map(stack),
    )
    const deployment = deploymentOf(switched_on)
    const place = (name: string) => stackNames(deployment).indexOf(stack(name))
    expect(deployment).toHaveLength(6)
    expect(place('network')).toBeLessThan(place('functions'))
    for (const slot of ['functions', 'functions-b']) {
      const functions = deployment.find(({ name }) => name === stack(slot))!
      expect([...functions.dependencies].sort()).toEqual([stack('data'), stack('network')])
    }
  })

  test('import nothing from each other, except the functions from the network', () => {
    for (const one of deploymentOf(full)) {
      const { name } = one
      expect(importsOf(one).size > 0, name).toBe(name.startsWith(stack('functions')))
      expect(exportsOf(one).size > 0, name).toBe(name === stack('network'))
      expect(JSON.stringify(one.template), name).not.toContain('Fn::GetStackOutput')
    }
  })
})

describe('the fixed addresses of prod', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a template has every shape
  const templateOf = (stage: Stage, name: 'data' | 'functions' | 'api' | 'operations'): any =>
    stacksOf(stage)[name].toJSON()
  const vpcOf = (stage: Stage) =>
    Object.values<{ Type: string; Properties: { FunctionName: string; VpcConfig?: object } }>(
      templateOf(stage, 'functions').Resources,
    ).flatMap(({ Type, Properties }) =>
      Type === 'AWS::Lambda::Function' && Properties.VpcConfig ? [[Properties.FunctionName, Properties.VpcConfig]] : [],
    )

  test.each(['data', 'api', 'operations'] as const)('do not change the %s stack', (name) => {
    expect(templateOf(switched_on, name)).toEqual(templateOf(switched_off, name))
    expect(templateOf(switched_on, name)).toEqual(templateOf(no_addresses, name))
  })

  test('create a network stack only while they are switched on', () => {
    expect([switched_on, switched_off, no_addresses].map((stage) => 'network' in stacksOf(stage))).toEqual([
      true,
      false,
      false,
    ])
  })

  test('put only the function that delivers into the subnets, and only while they are switched on', () => {
    const imported = (name: string) => ({ 'Fn::ImportValue': name })
    const SubnetIds = [0, 1].map((zone) => imported(names.deliverySubnet(zone)))
    const SecurityGroupIds = [imported(names.deliverySecurityGroup)]
    expect(vpcOf(switched_on)).toEqual([[names.function('background/deliver'), { SubnetIds, SecurityGroupIds }]])
    expect(vpcOf(switched_off)).toEqual([])
    expect(JSON.stringify(templateOf(no_addresses, 'functions'))).not.toMatch(/VpcConfig|ec2:/)
  })

  test('change only the subnets of the functions when they are switched off', () => {
    const resources = structuredClone(templateOf(switched_on, 'functions').Resources)
    for (const { Properties } of Object.values<{ Properties: object }>(resources))
      if ('VpcConfig' in Properties) delete Properties.VpcConfig
    expect(templateOf(switched_off, 'functions').Resources).toEqual(resources)
  })

  /** An account in which prod is deployed with fixed addresses. */
  function account(): CloudFormation {
    const cloud = new CloudFormation()
    for (const one of deploymentOf(switched_on)) cloud.deploy(one)
    return cloud
  }

  test('delete nothing when they are switched off, wherever the deployment stops', () => {
    const cloud = account()
    for (const one of deploymentOf(switched_off)) {
      expect(cloud.deploy(one), one.name).toEqual([])
      expect(cloud.names).toContain(stack('network'))
    }
  })

  test('prevent the deletion of the network until the functions of both slots have left the subnets', () => {
    const cloud = account()
    const network = { protectionLifted: true }
    expect(() => cloud.delete(stack('network'), { protectionLifted: false })).toThrow('protected from termination')
    for (const one of deploymentOf(switched_off)) {
      const left = one.name === stack('functions-b')
      expect(() => cloud.delete(stack('network'), network)).toThrow(`in use by ${stack('functions')}`)
      cloud.deploy(one)
      if (left) break
    }
    cloud.delete(stack('network'), network)
    expect(cloud.names).not.toContain(stack('network'))
  })

  test('prevent a deployment of the functions before the network', () => {
    const cloud = new CloudFormation()
    const [data, functions] = ['data', 'functions'].map(
      (name) => deploymentOf(switched_on).find((one) => one.name === stack(name))!,
    )
    cloud.deploy(data!)
    expect(() => cloud.deploy(functions!)).toThrow(/^No export named payment-service-prod-delivery-/)
  })

  test('stay the same when they are switched on again after the network was deleted', () => {
    const cloud = account()
    for (const one of deploymentOf(switched_off)) cloud.deploy(one)
    cloud.delete(stack('network'), { protectionLifted: true })
    for (const one of deploymentOf(stageOf('prod', { fixed_addresses: { ...on } }))) cloud.deploy(one)
    const gateways = Object.values(stacksOf(switched_on).network!.findResources('AWS::EC2::NatGateway'))
    expect(gateways.map(({ Properties }) => Properties.AllocationId)).toEqual(
      on.addresses.map(({ allocation_id }) => allocation_id),
    )
  })

  test('are not part of any template, so no deployment creates or releases an address', () => {
    for (const { name, template } of deploymentOf(switched_on))
      expect(JSON.stringify(template), name).not.toContain('AWS::EC2::EIP')
  })
})

describe('the removal of a property from prod', () => {
  /** The types of resources that a deployment without the property deletes, because nothing uses them any more. */
  const deleted: Readonly<Record<PropertyName, readonly string[]>> = {
    // A deployment that serves outlives the document that it was made of.
    domain: [],
    alarm_emails: ['AWS::SNS::Subscription'],
    fixed_addresses: [],
  }

  test.each(propertyNames)('deletes for %s only resources that are no longer in use', (property) => {
    const cloud = new CloudFormation()
    for (const one of deploymentOf(full)) cloud.deploy(one)
    expect(deploymentOf(without[property]).flatMap((one) => cloud.deploy(one))).toEqual(deleted[property])
  })
})
