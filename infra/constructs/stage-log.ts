import type { IKey } from 'aws-cdk-lib/aws-kms'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { Stage } from '#infra/stage.ts'
import { removalPolicyOf } from './removal-policy.ts'

interface StageLogProps {
  readonly stage: Stage
  /** A literal name. A stack that is created again adopts only log groups whose names its template spells out. */
  readonly logGroupName: string
  readonly encryptionKey: IKey
}

/**
 * Creates a log group with the retention of its stage. Logs are part of the audit trail, so every log group is created
 * here.
 */
export function stageLog(scope: Construct, id: string, { stage, ...props }: StageLogProps): LogGroup {
  return new LogGroup(scope, id, { ...props, retention: stage.logRetention, removalPolicy: removalPolicyOf(stage) })
}
