import { App } from 'aws-cdk-lib'
import { Code } from 'aws-cdk-lib/aws-lambda'
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api'
import { ApiStack } from '#infra/api-stack.ts'
import { DataStack } from '#infra/data-stack.ts'
import { DeploymentStack } from '#infra/deployment-stack.ts'
import { FunctionsStack } from '#infra/functions-stack.ts'
import { OperationsStack } from '#infra/operations-stack.ts'
import { type Stage, stageNames, stageOf } from '#infra/stage.ts'

/** A stage with everything that a stage can have: a domain, e-mails for alarms and fixed addresses. */
export const withEverything = (name: string): Stage => ({
  ...stageOf(name),
  fixedAddresses: true,
  alarmEmails: ['on-call@shop.example', 'office@shop.example'],
  domain: { name: 'api.shop.example', certificate_arn: 'arn:aws-cn:acm:cn-north-1:111122223333:certificate/1' },
})

/** Every stage as it is defined, and with everything. */
export const everyStage: readonly (readonly [title: string, stage: Stage])[] = stageNames.flatMap((name) => [
  [name, stageOf(name)] as const,
  [`${name} with everything`, withEverything(name)] as const,
])

const made = new Map<string, CloudFormationStackArtifact[]>()

/**
 * The stacks that the app makes of a stage, as CDK hands them to CloudFormation, with stand-ins for the code. They are made
 * once in a process.
 */
export function stageArtifacts(stage: Stage): CloudFormationStackArtifact[] {
  const name = JSON.stringify(stage)
  const artifacts = made.get(name) ?? make(stage)
  made.set(name, artifacts)
  return artifacts
}

function make(stage: Stage): CloudFormationStackArtifact[] {
  const app = new App()
  new DataStack(app, 'Data', { stage })
  new FunctionsStack(app, 'Functions', { stage, code: (file) => Code.fromInline(file) })
  new ApiStack(app, 'Api', { stage })
  new OperationsStack(app, 'Operations', { stage })
  return app.synth().stacks
}

/** The stack that lets workflows deploy the stages of these names. */
export function deploymentArtifact(stages: readonly string[]): CloudFormationStackArtifact {
  const app = new App()
  const stack = new DeploymentStack(app, 'Deployment', { repository: 'shop/payments', stages })
  return app.synth().getStackArtifact(stack.artifactId)
}
