import type { App } from 'aws-cdk-lib'
import type { Code } from 'aws-cdk-lib/aws-lambda'
import { refusePlainDeployment } from '#infra/constructs/release-rule.ts'
import type { Slot } from '#infra/names.ts'
import type { Stage } from '#infra/stage.ts'
import { deliveryAddresses } from '#infra/stage-properties.ts'
import { ApiStack } from './api-stack.ts'
import { DataStack } from './data-stack.ts'
import { FunctionsStack } from './functions-stack.ts'
import { NetworkStack } from './network-stack.ts'
import { OperationsStack } from './operations-stack.ts'

/**
 * Creates the stacks of a stage, in the order in which they are deployed. `released_slot` is the slot that a release
 * deploys. Without it, a stage with slots has the functions of both, and CloudFormation refuses to deploy its stacks.
 */
export function stageStacks(app: App, stage: Stage, code: (file: string) => Code, released_slot?: Slot) {
  const addresses = deliveryAddresses(stage.properties)
  const data = new DataStack(app, 'Data', { stage })
  // A deployment never deletes a stack that has left the app, so the network outlives its use by the functions.
  const network = addresses.length > 0 ? new NetworkStack(app, 'Network', { stage, addresses }) : undefined
  const has = (slot: Slot) => stage.hasSlots && (released_slot ?? slot) === slot
  const functions =
    !stage.hasSlots || has('a')
      ? new FunctionsStack(app, 'Functions', { stage, code, slot: stage.hasSlots ? 'a' : undefined })
      : undefined
  const functions_b = has('b') ? new FunctionsStack(app, 'FunctionsB', { stage, code, slot: 'b' }) : undefined
  const api = new ApiStack(app, 'Api', { stage })
  const operations = new OperationsStack(app, 'Operations', { stage })

  for (const slot of [functions, functions_b]) {
    if (!slot) continue
    slot.addStackDependency(data)
    if (network) slot.addStackDependency(network)
    api.addStackDependency(slot)
  }
  operations.addStackDependency(api)
  const stacks = {
    data,
    ...(network && { network }),
    ...(functions && { functions }),
    ...(functions_b && { functions_b }),
    api,
    operations,
  }
  if (stage.hasSlots && !released_slot)
    for (const stack of Object.values(stacks)) refusePlainDeployment(stack, stage.name)
  return stacks
}
