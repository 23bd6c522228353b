import { App } from 'aws-cdk-lib'
import { Code } from 'aws-cdk-lib/aws-lambda'
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api'
import { DeploymentStack } from '#infra/deployment-stack.ts'
import { type Stage, stageNames } from '#infra/stage.ts'
import { stageStacks } from '#infra/stage-stacks.ts'
import { fullStageOf, stageOf } from './stages.ts'

/** Every stage as it is defined, and with everything. */
export const everyStage: readonly (readonly [title: string, stage: Stage])[] = stageNames.flatMap((name) => [
  [name, stageOf(name)] as const,
  [`${name} with everything`, fullStageOf(name)] as const,
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
  stageStacks(app, stage, (file) => Code.fromInline(file))
  return app.synth().stacks
}

/** The stack that lets workflows deploy the stages of these names. */
export function deploymentArtifact(stages: readonly string[]): CloudFormationStackArtifact {
  const app = new App()
  const stack = new DeploymentStack(app, 'Deployment', { repository: 'shop/payments', stages })
  return app.synth().getStackArtifact(stack.artifactId)
}
