import { App, Stack } from 'aws-cdk-lib'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { describe, expect, test } from 'vitest'
import { ApiStack } from '#infra/api-stack.ts'
import { DataStack } from '#infra/data-stack.ts'
import { DeploymentStack } from '#infra/deployment-stack.ts'
import { FunctionsStack } from '#infra/functions-stack.ts'
import { OperationsStack } from '#infra/operations-stack.ts'
import { accept, packsFor } from '#infra/review.ts'
import { type Stage, stageNames, stageOf } from '#infra/stage.ts'

/** Every finding in an app, each with where it was found. */
const findingsIn = (app: App): string[] =>
  packsFor(app).flatMap((pack) =>
    pack
      .validateScope(app)
      .violations.flatMap(({ ruleName, violatingResources }) =>
        violatingResources.map(({ constructPath }) => `${ruleName} in ${constructPath}`),
      ),
  )

describe('the rules of AWS', () => {
  const named = ['dev', 'staging', 'prod'].map(stageOf)
  const domain = { name: 'api.shop.example', certificate_arn: 'arn:aws:acm:eu-west-1:111122223333:certificate/1' }
  const full: Stage = { ...stageOf('prod'), name: 'full', fixedAddresses: true, alarmEmails: ['a@b.example'], domain }

  test.each([...named, full])('find nothing in $name that has no written reason', (stage) => {
    const app = new App()
    new DataStack(app, 'Data', { stage })
    new FunctionsStack(app, 'Functions', { stage, code: (file) => Code.fromInline(file) })
    new ApiStack(app, 'Api', { stage })
    new OperationsStack(app, 'Operations', { stage })
    expect(findingsIn(app)).toEqual([])
  })

  test('find nothing in what lets workflows deploy', () => {
    const app = new App()
    new DeploymentStack(app, 'Deployment', { repository: 'shop/payments', stages: stageNames })
    expect(findingsIn(app)).toEqual([])
  })

  test('find what is wrong, and a reason lets one finding in one place stand', () => {
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
