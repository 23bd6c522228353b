import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { backgroundFiles } from '#shared/background.ts'
import { servedFiles } from '#shared/routes.ts'
import { bundle } from './bundle.ts'
import { refuseContradictions, refuseUnknown, releasedSlot } from './cdk-context.ts'
import { review } from './constructs/nag-review.ts'
import { DeploymentStack, deploymentOf } from './stacks/deployment-stack.ts'
import { stageStacks } from './stacks/stage-stacks.ts'
import { knownStage, stageOf } from './stage.ts'
import { propertiesOf } from './stage-definition.ts'

// `npm run lint:templates` validates all templates. Here the validation would take a third of the time.
const app = new App({ builtinCloudFormationValidation: false })
review(app)
refuseUnknown(Object.keys(app.node.getAllContext()))
const given = (name: string) => app.node.tryGetContext(name)
const name = knownStage(String(given('stage') ?? 'dev'))
const properties = propertiesOf(name)
refuseContradictions(name, properties, given)

const root = join(import.meta.dirname, '..')
const bundles = join(root, '.build/functions')
// esbuild is a Go program, and this process builds only once. Without garbage collection, a build takes a fifth less
// time.
process.env.GOGC ??= 'off'
bundle([...servedFiles(), ...backgroundFiles], {
  root,
  into: bundles,
})

const stage = stageOf(name, properties)
stageStacks(app, stage, (file) => Code.fromAsset(join(bundles, file)), releasedSlot(stage, given))

const deployment = deploymentOf(given)
if (deployment) new DeploymentStack(app, 'Deployment', deployment)
