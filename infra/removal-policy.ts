import { RemovalPolicy } from 'aws-cdk-lib'
import type { Stage } from './stage.ts'

/** What becomes of the data and the logs of a stage when their stack is deleted. A bucket is deleted only when it is empty. */
export const removalPolicyOf = ({ deletionProtection }: Stage): RemovalPolicy =>
  deletionProtection ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY
