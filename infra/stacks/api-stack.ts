import { Aws, CfnCondition, CfnOutput, CfnParameter, CfnResource, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib'
import {
  AccessLogFormat,
  ApiDefinition,
  type CfnRestApi,
  type CfnStage,
  EndpointType,
  LogGroupLogDestination,
  SecurityPolicy,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import type { ILogGroup } from 'aws-cdk-lib/aws-logs'
import { StringParameter } from 'aws-cdk-lib/aws-ssm'
import type { Construct } from 'constructs'
import { Firewall } from '#infra/constructs/firewall.ts'
import { binary_media_types, gatewayDocument } from '#infra/constructs/gateway-document.ts'
import { measureCandidate } from '#infra/constructs/log-metrics.ts'
import { accept } from '#infra/constructs/nag-review.ts'
import { stageLog } from '#infra/constructs/stage-log.ts'
import { type Names, namesInSlot, namesOf } from '#infra/names.ts'
import type { Stage } from '#infra/stage.ts'
import type { Domain } from '#infra/stage-properties.ts'
import { BASE_PATH, servedAbsolute, servedRoutes } from '#shared/routes.ts'

/** The API of a stage: one REST API, built from the route table, for merchants' servers and for customers. */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, { stage }: { stage: Stage }) {
    const names = namesOf(stage.name)
    super(scope, id, { stackName: names.stack('api'), terminationProtection: stage.deletionProtection })

    const invoker = this.#invoker(names)
    const key = Key.fromKeyArn(this, 'DataKey', StringParameter.valueForStringParameter(this, names.dataKeyArn))
    const logGroupName = `/aws/apigateway/${names.api}`
    const accessLog = stageLog(this, 'AccessLog', { stage, logGroupName, encryptionKey: key })
    const api = this.#api(stage, names, { invoker, accessLog })
    if (stage.hasSlots) {
      this.#staysLive(api, stage)
      measureCandidate(this, accessLog, names)
    }
    const { domain } = stage.properties
    if (domain !== 'none') this.#named(api, domain, stage)
    new CfnOutput(this, 'BaseUrl', {
      description: 'The base URL of the API.',
      value: domain === 'none' ? api.urlForPath(BASE_PATH) : `https://${domain.name}${BASE_PATH}`,
    })
    const { firewall: limits } = stage
    const resourceArn = api.deploymentStage.stageArn
    if (limits) new Firewall(this, 'Firewall', { stage, limits, names, resourceArn, key })
    else
      accept(
        api.deploymentStage,
        ['AwsSolutions-APIG3'],
        'This stage has no real merchants, so it saves the cost of a firewall.',
      )
  }

  /** Creates the role with which API Gateway invokes the functions. */
  #invoker(names: Names): Role {
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
    accept(
      invoker,
      [
        `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:${names.functions}*]`,
      ],
      'The API invokes every function of its stage. A list of all functions would not fit into one policy.',
    )
    return invoker
  }

  /** Creates the REST API with one method per route and page. */
  #api(stage: Stage, names: Names, { invoker, accessLog }: { invoker: Role; accessLog: ILogGroup }): SpecRestApi {
    const api = new SpecRestApi(this, 'Api', {
      restApiName: names.api,
      apiDefinition: ApiDefinition.fromInline(
        gatewayDocument(
          {
            rows: servedRoutes(),
            pages: servedAbsolute(),
            base_url: baseUrlOf(stage),
          },
          (file) => ({
            uri: `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/${functionArn(functionNameOf(stage, names, file))}/invocations`,
            credentials: invoker.roleArn,
          }),
        ),
      ),
      endpointTypes: [EndpointType.REGIONAL],
      // API Gateway has one role for the access logs of all APIs of an account, so the role outlives this stack.
      cloudWatchRole: true,
      // The stage points to a deployment of a former release until a release shifts the traffic.
      retainDeployments: stage.hasSlots,
      deployOptions: {
        stageName: stage.name,
        tracingEnabled: true,
        throttlingRateLimit: stage.requestsPerSecond,
        throttlingBurstLimit: stage.requestsAtOnce,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLogFormat.custom(accessLogFormatOf(stage)),
      },
    })
    // The document states the media types too, but emulators of API Gateway read this property.
    const resource = api.node.defaultChild as CfnRestApi
    resource.binaryMediaTypes = binary_media_types
    acceptFindings(api)
    return api
  }

  /**
   * Lets the stage stay with the deployment and the slot that serve. A release states both, so that this stack creates
   * the next deployment and shifts no traffic to it. Only the first release has neither.
   */
  #staysLive({ deploymentStage, latestDeployment }: SpecRestApi, { name }: Stage): void {
    accept(
      deploymentStage,
      ['Serverless-APIGWStructuredLogging'],
      'Each line is JSON. The format itself is not, because a number in it has no quotation marks.',
    )
    const parameter = (id: string, description: string, byDefault: string) =>
      new CfnParameter(this, id, { description, default: byDefault }).valueAsString
    const live = parameter('LiveDeployment', 'The deployment that serves, or none before the first release.', 'none')
    const { prefix } = namesInSlot(name, 'a')
    const functions = parameter('LiveFunctions', 'What the names of the functions that serve begin with.', prefix)
    const isFirst = new CfnCondition(this, 'IsFirst', { expression: Fn.conditionEquals(live, 'none') })
    const resource = deploymentStage.node.defaultChild as CfnStage
    const next = latestDeployment!.deploymentId
    resource.deploymentId = Fn.conditionIf(isFirst.logicalId, next, live).toString()
    resource.variables = { [FUNCTIONS_VARIABLE]: functions }
    new CfnOutput(this, 'NextDeployment', { description: 'The deployment for the next shift.', value: next })
  }

  /** Adds the domain name. The owner of its DNS zone points the name to the output `DomainTarget`. */
  #named(api: SpecRestApi, { name, certificate_arn }: Domain, { deletionProtection }: Stage): void {
    const domain = api.addDomainName('Domain', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificate_arn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    })
    new CfnOutput(this, 'DomainTarget', { value: domain.domainNameAliasDomainName })
    if (!deletionProtection) return
    // Merchants still reach the API by its domain name after a template has lost the name.
    for (const part of domain.node.findAll().filter(CfnResource.isCfnResource))
      part.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE)
  }
}

/**
 * Returns the URL of a stage for the responses of API Gateway itself: its domain name, or the host that the request was
 * sent to and the name of the stage.
 */
const baseUrlOf = ({ name, properties: { domain } }: Stage): string =>
  domain === 'none' ? `https://$context.domainName/${name}` : `https://${domain.name}`

/** The stage variable with the prefix of the functions that serve. The shift of a release overrides it. */
const FUNCTIONS_VARIABLE = 'functions'

/** The name of the function of a file. With slots, a variable of the API's stage decides which slot it is in. */
const functionNameOf = ({ name, hasSlots }: Stage, names: Names, file: string): string =>
  hasSlots ? `\${stageVariables.${FUNCTIONS_VARIABLE}}-${namesInSlot(name, 'a').tail(file)}` : names.function(file)

/** Accepts the cdk-nag rules that the API breaks on purpose, each with the reason. */
function acceptFindings(api: SpecRestApi): void {
  accept(
    api,
    ['AwsSolutions-APIG2'],
    'The functions validate every request themselves and respond with the error envelope of the API.',
  )
  accept(
    api,
    [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    ],
    'API Gateway requires this policy for the role with which it writes access logs.',
  )
  accept(
    api.deploymentStage,
    ['AwsSolutions-APIG6'],
    'Execution logs contain headers and bodies, and so keys and cards. The access log lists each request, and the functions log their failures.',
  )
}

/** The access log line of a request. It holds the path template instead of the path, and no headers and no query. */
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

/**
 * The format of the access log. With slots, a line also says whether the candidate of a release got the request, and
 * its latency is a number, because a metric is made of it.
 */
function accessLogFormatOf({ hasSlots }: Stage): string {
  const line = JSON.stringify({ ...accessLogLine, ...(hasSlots && { candidate: '$context.isCanaryRequest' }) })
  return hasSlots ? line.replace('"$context.responseLatency"', '$context.responseLatency') : line
}

function functionArn(name: string): string {
  return `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function:${name}`
}
