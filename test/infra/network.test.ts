import { App } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { describe, expect, test } from 'vitest'
import { DataStack } from '#infra/data-stack.ts'
import { FunctionsStack } from '#infra/functions-stack.ts'
import { namesOf } from '#infra/names.ts'
import { stageOf } from '#infra/stage.ts'

const code = (file: string) => Code.fromInline(file)
const templatesOf = (fixedAddresses: boolean) => {
  const stage = { ...stageOf('dev'), fixedAddresses }
  return {
    data: Template.fromStack(new DataStack(new App(), 'Data', { stage })),
    functions: Template.fromStack(new FunctionsStack(new App(), 'Functions', { stage, code })),
  }
}
const { data, functions } = templatesOf(true)
const names = namesOf('dev')

describe('deliveries from fixed addresses', () => {
  test('go out by two gateways whose addresses stay, and are told', () => {
    data.resourceCountIs('AWS::EC2::NatGateway', 2)
    const addresses = Object.keys(data.findResources('AWS::EC2::EIP'))
    expect(addresses).toHaveLength(2)
    data.allResources('AWS::EC2::EIP', { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })
    for (const address of addresses) {
      data.hasResourceProperties('AWS::EC2::NatGateway', { AllocationId: { 'Fn::GetAtt': [address, 'AllocationId'] } })
      expect(JSON.stringify(data.findOutputs('*'))).toContain(`"Fn::GetAtt":["${address}","PublicIp"]`)
    }
  })

  test('let nothing in', () => {
    data.hasResourceProperties('AWS::EC2::SecurityGroup', { SecurityGroupIngress: Match.absent() })
    data.resourceCountIs('AWS::EC2::SecurityGroupIngress', 0)
  })

  test('are made by the one function that is in the network', () => {
    const inside = Object.values(functions.findResources('AWS::Lambda::Function')).filter(
      ({ Properties }) => Properties.VpcConfig,
    )
    expect(inside.map(({ Properties }) => Properties.FunctionName)).toEqual([names.function('background/deliver')])
    const { SubnetIds, SecurityGroupIds } = inside[0]!.Properties.VpcConfig
    const { Parameters } = functions.toJSON()
    expect(Parameters[SubnetIds.Ref].Default).toBe(names.subnets)
    expect(Parameters[SecurityGroupIds[0].Ref].Default).toBe(names.securityGroup)
    for (const Name of [names.subnets, names.securityGroup]) data.hasResourceProperties('AWS::SSM::Parameter', { Name })
  })

  test('are off where the stage does not ask for them', () => {
    const without = templatesOf(false)
    without.data.resourceCountIs('AWS::EC2::VPC', 0)
    expect(JSON.stringify(without.functions.toJSON())).not.toMatch(/VpcConfig|ec2:/)
  })
})
