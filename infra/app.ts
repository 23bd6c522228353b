import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { backgroundFiles } from '#shared/background.ts'
import { servedPages, servedRoutes } from '#shared/routes.ts'
import { ApiStack } from './api-stack.ts'
import { bundle } from './bundle.ts'
import { DataStack } from './data-stack.ts'
import { DeploymentStack, deploymentOf } from './deployment-stack.ts'
import { FunctionsStack } from './functions-stack.ts'
import { type GivenName, refuseUnknown, withGiven } from './given.ts'
import { OperationsStack } from './operations-stack.ts'
import { review } from './review.ts'
import { stageOf } from './stage.ts'

const app = new App()
review(app)
refuseUnknown(Object.keys(app.node.getAllContext()))
const given = (name: GivenName) => app.node.tryGetContext(name)
const stage = withGiven(stageOf(String(given('stage') ?? 'dev')), given)

const root = join(import.meta.dirname, '..')
const bundles = join(root, '.build/functions')
bundle([...[...servedRoutes(), ...servedPages()].map(({ file }) => file), ...backgroundFiles], { root, into: bundles })

const data = new DataStack(app, 'Data', { stage })
const functions = new FunctionsStack(app, 'Functions', { stage, code: (file) => Code.fromAsset(join(bundles, file)) })
const api = new ApiStack(app, 'Api', { stage })
const operations = new OperationsStack(app, 'Operations', { stage })

functions.addStackDependency(data)
api.addStackDependency(functions)
operations.addStackDependency(api)

const deployment = deploymentOf(given)
if (deployment) new DeploymentStack(app, 'Deployment', deployment)
