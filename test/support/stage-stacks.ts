import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Code } from 'aws-cdk-lib/aws-lambda'
import type { Stage } from '#infra/stage.ts'
import { stageStacks } from '#infra/stage-stacks.ts'

/** The templates of a stage, with stand-ins for the code. Only a stage with fixed addresses has a network. */
export interface StageStacks {
  readonly data: Template
  readonly network?: Template
  readonly functions: Template
  readonly api: Template
  readonly operations: Template
}

/** One stack of a stage, as it is deployed. */
export interface DeployedStack {
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: a template has every shape
  readonly template: any
  readonly terminationProtection: boolean
  /** The names of the stacks that are deployed before it. */
  readonly dependencies: readonly string[]
}

interface Made {
  readonly templates: StageStacks
  readonly deployment: readonly DeployedStack[]
}

const made = new Map<string, Made>()

/** The templates of a stage, made once in a process. */
export const stacksOf = (stage: Stage): StageStacks => madeOf(stage).templates

/** The stacks of a stage in the order in which they are deployed, made once in a process. */
export const deploymentOf = (stage: Stage): readonly DeployedStack[] => madeOf(stage).deployment

function madeOf(stage: Stage): Made {
  const name = JSON.stringify(stage)
  const stacks = made.get(name) ?? make(stage)
  made.set(name, stacks)
  return stacks
}

function make(stage: Stage): Made {
  const app = new App()
  const stacks = stageStacks(app, stage, (file) => Code.fromInline(file))
  // `Template.fromStack` would make all of them anew for each.
  const assembly = app.synth()
  const templates = Object.entries(stacks).map(([name, { artifactId }]) => [
    name,
    Template.fromJSON(assembly.getStackArtifact(artifactId).template),
  ])
  const names = new Map(assembly.stacks.map(({ id, stackName }) => [id, stackName]))
  return {
    templates: Object.fromEntries(templates) as unknown as StageStacks,
    deployment: assembly.stacks.map(({ stackName, template, terminationProtection = false, dependencies }) => ({
      name: stackName,
      template,
      terminationProtection,
      dependencies: dependencies.flatMap(({ id }) => names.get(id) ?? []),
    })),
  }
}
