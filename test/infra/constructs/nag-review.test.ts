import { App, Stack } from 'aws-cdk-lib'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { describe, expect, test } from 'vitest'
import { accept, packsFor } from '#infra/constructs/nag-review.ts'
import { DeploymentStack } from '#infra/stacks/deployment-stack.ts'
import { stageStacks } from '#infra/stacks/stage-stacks.ts'
import { type Stage, stageNames } from '#infra/stage.ts'
import { fullStageOf, stageOf } from '#test/fixtures/stages.ts'

/** Every finding in an app, with the path of its construct. */
const findingsIn = (app: App): string[] =>
  packsFor(app).flatMap((pack) =>
    pack
      .validateScope(app)
      .violations.flatMap(({ ruleName, violatingResources }) =>
        violatingResources.map(({ constructPath }) => `${ruleName} in ${constructPath}`),
      ),
  )

describe('packsFor', () => {
  const named = stageNames.map((name) => stageOf(name))
  const full: Stage = { ...fullStageOf('prod'), name: 'full' }

  test.each([...named, full])('finds nothing in $name without an accepted reason', (stage) => {
    const app = new App()
    stageStacks(app, stage, (file) => Code.fromInline(file))
    expect(findingsIn(app)).toEqual([])
  })

  test('finds nothing in DeploymentStack without an accepted reason', () => {
    const app = new App()
    new DeploymentStack(app, 'Deployment', { repository: 'shop/payments', stages: stageNames })
    expect(findingsIn(app)).toEqual([])
  })

  test('finds every violation except one that is accepted for its construct', () => {
    const app = new App()
    const stack = new Stack(app, 'Stack')
    const [one] = ['One', 'Other'].map((id) => new Queue(stack, id))
    accept(one!, ['AwsSolutions-SQS3'], 'It is a test.')
    const findings = findingsIn(app)
    expect(findings).toContain('AwsSolutions-SQS4 in Stack/One/Resource')
    expect(findings).not.toContain('AwsSolutions-SQS3 in Stack/One/Resource')
    expect(findings).toContain('AwsSolutions-SQS3 in Stack/Other/Resource')
  })
})
