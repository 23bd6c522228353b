import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { ApiStack } from '#infra/api-stack.ts'
import { DataStack } from '#infra/data-stack.ts'
import { FunctionsStack } from '#infra/functions-stack.ts'
import { OperationsStack } from '#infra/operations-stack.ts'
import type { Stage } from '#infra/stage.ts'
import type { Stack } from './monthly.ts'

/** The templates of a stage, with stand-ins for the code. */
export function stacksOf(stage: Stage): Stack[] {
  const code = (file: string) => Code.fromInline(file)
  const stacks = [
    new DataStack(new App(), 'Data', { stage }),
    new FunctionsStack(new App(), 'Functions', { stage, code }),
    new ApiStack(new App(), 'Api', { stage }),
    new OperationsStack(new App(), 'Operations', { stage }),
  ]
  return stacks.map((stack) => Template.fromStack(stack).toJSON() as Stack)
}
