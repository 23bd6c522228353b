import { CfnOutput, Fn, RemovalPolicy } from 'aws-cdk-lib'
import {
  CfnEIP,
  GatewayVpcEndpointAwsService,
  NatProvider,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2'
import { StringListParameter, StringParameter } from 'aws-cdk-lib/aws-ssm'
import { Construct } from 'constructs'
import type { Names } from './names.ts'
import { accept } from './review.ts'

/** Zones that deliveries go out from, so that one of them can fail. */
const ZONES = 2

/** Where deliveries go out from: addresses that merchants let in, and that stay when everything else is replaced. */
export class Network extends Construct {
  constructor(scope: Construct, id: string, names: Names) {
    super(scope, id)
    const addresses = Array.from({ length: ZONES }, (_, zone) => {
      const address = new CfnEIP(this, `Address${zone}`, { domain: 'vpc' })
      address.applyRemovalPolicy(RemovalPolicy.RETAIN)
      return address
    })
    const vpc = new Vpc(this, 'Vpc', {
      vpcName: names.network,
      maxAzs: ZONES,
      natGateways: ZONES,
      natGatewayProvider: NatProvider.gateway({ eipAllocationIds: addresses.map((one) => one.attrAllocationId) }),
      subnetConfiguration: [
        { name: 'public', subnetType: SubnetType.PUBLIC, cidrMask: 26 },
        { name: 'deliveries', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 20 },
      ],
      // The default group is used by nobody, and a function of its own would be needed to empty it.
      restrictDefaultSecurityGroup: false,
      gatewayEndpoints: { Table: { service: GatewayVpcEndpointAwsService.DYNAMODB } },
    })
    accept(
      vpc,
      ['AwsSolutions-VPC7'],
      'Only deliveries go through it, and the log of their function tells of every call.',
    )
    const group = new SecurityGroup(this, 'Group', {
      vpc,
      allowAllOutbound: false,
      description: 'Deliveries go out, and nothing comes in.',
    })
    // A webhook may name any port of a public address; which addresses those are, the function checks itself.
    group.addEgressRule(Peer.anyIpv4(), Port.allTcp(), 'To the receivers of webhooks.')

    const subnets = vpc.privateSubnets.map(({ subnetId }) => subnetId)
    new StringListParameter(this, 'Subnets', { parameterName: names.subnets, stringListValue: subnets })
    new StringParameter(this, 'GroupId', { parameterName: names.securityGroup, stringValue: group.securityGroupId })
    new CfnOutput(this, 'DeliveryAddresses', {
      description: 'Where deliveries come from: the addresses that merchants let in.',
      value: Fn.join(
        ',',
        addresses.map((one) => one.attrPublicIp),
      ),
    })
  }
}
