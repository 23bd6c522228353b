import { App, type Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { ApiStack } from '#infra/api-stack.ts'
import { DataStack } from '#infra/data-stack.ts'
import { FunctionsStack } from '#infra/functions-stack.ts'
import { OperationsStack } from '#infra/operations-stack.ts'
import type { Stage } from '#infra/stage.ts'

/** The templates of a stage, with stand-ins for the code. */
export interface StageStacks {
  readonly data: Template
  readonly functions: Template
  readonly api: Template
  readonly operations: Template
}

const made = new Map<string, StageStacks>()

/** The templates of a stage, made once in a process. */
export function stacksOf(stage: Stage): StageStacks {
  const name = JSON.stringify(stage)
  const stacks = made.get(name) ?? make(stage)
  made.set(name, stacks)
  return stacks
}

function make(stage: Stage): StageStacks {
  const app = new App()
  const code = (file: string) => Code.fromInline(file)
  const data = new DataStack(app, 'Data', { stage })
  const functions = new FunctionsStack(app, 'Functions', { stage, code })
  const api = new ApiStack(app, 'Api', { stage })
  const operations = new OperationsStack(app, 'Operations', { stage })
  // `Template.fromStack` would make all four of them anew for each.
  const assembly = app.synth()
  const templateOf = (stack: Stack) => Template.fromJSON(assembly.getStackArtifact(stack.artifactId).template)
  return {
    data: templateOf(data),
    functions: templateOf(functions),
    api: templateOf(api),
    operations: templateOf(operations),
  }
}
