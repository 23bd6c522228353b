import type { App } from 'aws-cdk-lib'
import type { Code } from 'aws-cdk-lib/aws-lambda'
import type { Stage } from '#infra/stage.ts'
import { deliveryAddresses } from '#infra/stage-properties.ts'
import { ApiStack } from './api-stack.ts'
import { DataStack } from './data-stack.ts'
import { FunctionsStack } from './functions-stack.ts'
import { NetworkStack } from './network-stack.ts'
import { OperationsStack } from './operations-stack.ts'

/** Creates the stacks of a stage, in the order in which they are deployed. */
export function stageStacks(app: App, stage: Stage, code: (file: string) => Code) {
  const addresses = deliveryAddresses(stage.properties)
  const data = new DataStack(app, 'Data', { stage })
  // A deployment never deletes a stack that has left the app, so the network outlives its use by the functions.
  const network = addresses.length > 0 ? new NetworkStack(app, 'Network', { stage, addresses }) : undefined
  const functions = new FunctionsStack(app, 'Functions', { stage, code })
  const api = new ApiStack(app, 'Api', { stage })
  const operations = new OperationsStack(app, 'Operations', { stage })

  functions.addStackDependency(data)
  if (network) functions.addStackDependency(network)
  api.addStackDependency(functions)
  operations.addStackDependency(api)
  return { data, ...(network && { network }), functions, api, operations }
}
