import { CfnOutput, Stack } from 'aws-cdk-lib'
import {
  GatewayVpcEndpointAwsService,
  NatProvider,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2'
import type { Construct } from 'constructs'
import { accept } from '#infra/constructs/nag-review.ts'
import { type Names, namesOf } from '#infra/names.ts'
import type { Stage } from '#infra/stage.ts'
import type { Address } from '#infra/stage-properties.ts'

/**
 * The network that deliveries go out through, with one NAT gateway for each fixed address. The exports of its subnets
 * and its security group are the only exports between stacks: CloudFormation refuses to delete or replace the resources
 * while a function uses them.
 */
export class NetworkStack extends Stack {
  constructor(scope: Construct, id: string, props: { readonly stage: Stage; readonly addresses: readonly Address[] }) {
    const { stage, addresses } = props
    const names = namesOf(stage.name)
    super(scope, id, { stackName: names.stack('network'), terminationProtection: stage.deletionProtection })
    const vpc = this.#vpc(names, addresses)
    const group = new SecurityGroup(this, 'Group', {
      vpc,
      allowAllOutbound: false,
      description: 'Deliveries go out, and nothing comes in.',
    })
    // A webhook can have any port of a public address. The function itself checks that an address is public.
    group.addEgressRule(Peer.anyIpv4(), Port.allTcp(), 'To the receivers of webhooks.')

    vpc.privateSubnets.forEach(({ subnetId: value }, zone) => {
      new CfnOutput(this, `Subnet${zone}`, { value, exportName: names.deliverySubnet(zone) })
    })
    new CfnOutput(this, 'SecurityGroup', { value: group.securityGroupId, exportName: names.deliverySecurityGroup })
    new CfnOutput(this, 'DeliveryAddresses', {
      description: 'The source addresses of deliveries, for the firewalls of merchants.',
      value: addresses.map(({ public_ip }) => public_ip).join(','),
    })
    new CfnOutput(this, 'DeliveryAllocationIds', {
      description: 'The allocation ids of these addresses. They stay reserved after this stack is deleted.',
      value: addresses.map(({ allocation_id }) => allocation_id).join(','),
    })
  }

  #vpc(names: Names, addresses: readonly Address[]): Vpc {
    const eipAllocationIds = addresses.map(({ allocation_id }) => allocation_id)
    const vpc = new Vpc(this, 'Vpc', {
      vpcName: names.network,
      maxAzs: addresses.length,
      natGateways: addresses.length,
      natGatewayProvider: NatProvider.gateway({ eipAllocationIds }),
      subnetConfiguration: [
        { name: 'public', subnetType: SubnetType.PUBLIC, cidrMask: 26 },
        { name: 'deliveries', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 20 },
      ],
      // No resource uses the default security group, and emptying it would need another Lambda function.
      restrictDefaultSecurityGroup: false,
      gatewayEndpoints: { Table: { service: GatewayVpcEndpointAwsService.DYNAMODB } },
    })
    accept(vpc, ['AwsSolutions-VPC7'], 'Only deliveries use this network, and their function logs every call.')
    return vpc
  }
}
