import type { IKey } from 'aws-cdk-lib/aws-kms'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { removalPolicyOf } from './removal-policy.ts'
import type { Stage } from './stage.ts'

interface StageLogProps {
  readonly stage: Stage
  /** A literal: a stack that is created again adopts only log groups whose names its template spells out. */
  readonly logGroupName: string
  readonly encryptionKey: IKey
}

/** A log group, which is kept as long as its stage says. It is part of the audit trail, so every log group is made here. */
export function stageLog(scope: Construct, id: string, { stage, ...props }: StageLogProps): LogGroup {
  return new LogGroup(scope, id, { ...props, retention: stage.logRetention, removalPolicy: removalPolicyOf(stage) })
}
