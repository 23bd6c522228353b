import { App } from 'aws-cdk-lib'
import { Match } from 'aws-cdk-lib/assertions'
import { describe, expect, test } from 'vitest'
import { namesOf } from '#infra/names.ts'
import { NetworkStack } from '#infra/stacks/network-stack.ts'
import { deploymentOf, stacksOf } from '#test/fixtures/stage-stacks.ts'
import { allProperties, stageOf } from '#test/fixtures/stages.ts'
import { exportsOf } from '#test/infra/stacks/cloud-formation.ts'

const { fixed_addresses } = allProperties
const { addresses } = fixed_addresses
const stage = stageOf('prod', { fixed_addresses })
const network = stacksOf(stage).network!
const deployed = deploymentOf(stage).find(({ name }) => name === 'payment-service-prod-network')!

describe('NetworkStack', () => {
  test('sends deliveries out through one gateway for each address of the definition', () => {
    network.resourceCountIs('AWS::EC2::NatGateway', addresses.length)
    for (const { allocation_id } of addresses)
      network.hasResourceProperties('AWS::EC2::NatGateway', { AllocationId: allocation_id })
  })

  test('creates no address, so the addresses of the definition can be used again after the stack is deleted', () => {
    network.resourceCountIs('AWS::EC2::EIP', 0)
  })

  test('outputs the addresses and their allocation ids', () => {
    network.hasOutput('DeliveryAddresses', { Value: '203.0.113.10,203.0.113.11' })
    network.hasOutput('DeliveryAllocationIds', { Value: 'eipalloc-0aaaaaaaaaaaaaaaa,eipalloc-0bbbbbbbbbbbbbbbb' })
  })

  test('allows no inbound traffic', () => {
    network.hasResourceProperties('AWS::EC2::SecurityGroup', { SecurityGroupIngress: Match.absent() })
    network.resourceCountIs('AWS::EC2::SecurityGroupIngress', 0)
  })

  test('exports the subnets without public addresses, and the security group', () => {
    const names = namesOf('prod')
    const [group] = Object.keys(network.findResources('AWS::EC2::SecurityGroup'))
    const subnets = network.findResources('AWS::EC2::Subnet', { Properties: { MapPublicIpOnLaunch: false } })
    const exported = Object.keys(subnets).map((subnet, zone) => [
      names.deliverySubnet(zone),
      JSON.stringify({ Ref: subnet }),
    ])
    expect(Object.fromEntries(exportsOf(deployed))).toEqual({
      ...Object.fromEntries(exported),
      [names.deliverySecurityGroup]: JSON.stringify({ 'Fn::GetAtt': [group, 'GroupId'] }),
    })
    expect(exported).toHaveLength(addresses.length)
  })

  test.each([
    ['dev', false],
    ['staging', true],
    ['prod', true],
  ])('sets the termination protection of %s to %s', (name, expected) => {
    const made = new NetworkStack(new App(), 'Network', { stage: stageOf(name), addresses })
    expect(made.terminationProtection).toBe(expected)
  })
})
