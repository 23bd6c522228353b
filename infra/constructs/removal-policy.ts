import { RemovalPolicy } from 'aws-cdk-lib'
import type { Stage } from '#infra/stage.ts'

/**
 * Whether the data and the logs of a stage are retained when their stack is deleted. A bucket is deleted only when it
 * is empty.
 */
export const removalPolicyOf = ({ deletionProtection }: Stage): RemovalPolicy =>
  deletionProtection ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY
