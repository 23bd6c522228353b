import { Aws, RemovalPolicy, Stack } from 'aws-cdk-lib'
import {
  AccessLogFormat,
  ApiDefinition,
  EndpointType,
  LogGroupLogDestination,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { servedPages, servedRoutes } from '#shared/routes.ts'
import { namesOf } from './names.ts'
import { openApi } from './open-api.ts'
import type { Stage } from './stage.ts'

/** The door of the service: one REST API, made from the route table, for merchants' servers and for customers. */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, { stage }: { stage: Stage }) {
    const names = namesOf(stage.name)
    super(scope, id, { stackName: names.stack('api') })

    const invoker = new Role(this, 'Invoker', {
      description: 'Lets the API invoke the functions of its stage.',
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: {
        own: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: [functionArn(`${names.functions}*`)],
            }),
          ],
        }),
      },
    })
    const accessLog = new LogGroup(this, 'AccessLog', {
      logGroupName: `/aws/apigateway/${names.api}`,
      retention: stage.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    })

    new SpecRestApi(this, 'Api', {
      restApiName: names.api,
      apiDefinition: ApiDefinition.fromInline(
        openApi({ rows: servedRoutes(), pages: servedPages() }, (file) => ({
          uri: `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/${functionArn(names.function(file))}/invocations`,
          credentials: invoker.roleArn,
        })),
      ),
      endpointTypes: [EndpointType.REGIONAL],
      // The account's one role for access logs; API Gateway keeps it for all APIs, so it stays when this one goes.
      cloudWatchRole: true,
      deployOptions: {
        stageName: stage.name,
        tracingEnabled: true,
        throttlingRateLimit: stage.requestsPerSecond,
        throttlingBurstLimit: stage.requestsAtOnce,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogLine)),
      },
    })
  }
}

/** All that is logged of a request: neither headers nor query, and the path as the route table spells it. */
const accessLogLine = {
  request_id: '$context.requestId',
  time: '$context.requestTimeEpoch',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  path: '$context.resourcePath',
  status: '$context.status',
  latency_ms: '$context.responseLatency',
  function_latency_ms: '$context.integrationLatency',
  response_bytes: '$context.responseLength',
  gateway_error: '$context.error.responseType',
}

function functionArn(name: string): string {
  return `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function:${name}`
}
