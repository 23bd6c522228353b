import { namesOf } from '../names.ts'

/** The steps that store backups of a stage for longer than AWS does by itself. */
export function backupSteps(stage: string): string[] {
  const { table, vaultKey, dataKey } = namesOf(stage)
  return [
    '',
    'AWS keeps each second of the table for the window above, and each version of a file as long. For longer:',
    `  aws dynamodb create-backup --table-name ${table} --backup-name ${table}-$(date +%Y%m%d)`,
    'A backup is worth nothing without the keys, which never leave KMS. Neither may ever be scheduled for deletion:',
    `  aws kms describe-key --key-id ${vaultKey} --query KeyMetadata.KeyState`,
    `  aws kms describe-key --key-id ${dataKey} --query KeyMetadata.KeyState`,
  ]
}

/** The steps that restore a stage's table to its state at `moment`, with the names of the stage. */
export function restoreSteps(stage: string, moment: string): string[] {
  const { table, api, streamArn, dataKey, functions } = namesOf(stage)
  const restored = `${table}-restored`
  const restoring = (target: string) =>
    `  aws dynamodb restore-table-to-point-in-time --source-table-name ${table} --target-table-name ${target}`
  return [
    '',
    `1. Bring the table back beside the one in use, encrypted with the same key, and wait until it is there:`,
    `${restoring(restored)} --restore-date-time ${moment} --sse-specification-override Enabled=true,SSEType=KMS,KMSMasterKeyId=${dataKey}`,
    `  aws dynamodb wait table-exists --table-name ${restored}`,
    '2. See whether it is what you want; nothing uses it yet:',
    `  npm run operate -- reconcile --stage ${stage} --table ${restored}`,
    '   What was lost of a few records can be copied from it by hand, and you are done: delete it. To go back as a whole, go on.',
    '3. Stop the stage: no request and no worker may write any more:',
    `  aws apigateway update-stage --rest-api-id $(aws apigateway get-rest-apis --query "items[?name=='${api}'].id" --output text) --stage-name ${stage} --patch-operations op=replace,path='/*/*/throttling/rateLimit',value=0`,
    `  aws lambda list-functions --query "Functions[?starts_with(FunctionName,'${functions}background-')].FunctionName" --output text | xargs -n1 aws lambda put-function-concurrency --reserved-concurrent-executions 0 --function-name`,
    '4. Keep what is there now, and give its name to what was brought back:',
    `  aws dynamodb create-backup --table-name ${table} --backup-name ${table}-before-restore`,
    `  aws dynamodb update-table --table-name ${table} --no-deletion-protection-enabled`,
    `  aws dynamodb create-backup --table-name ${restored} --backup-name ${restored}`,
    `  aws dynamodb delete-table --table-name ${table} && aws dynamodb wait table-not-exists --table-name ${table}`,
    `  aws dynamodb restore-table-from-backup --target-table-name ${table} --backup-arn <ARN of ${restored}> --sse-specification-override Enabled=true,SSEType=KMS,KMSMasterKeyId=${dataKey}`,
    '5. A restored table has none of its switches. Set them again, as `deletionProtection` and `recoveryDays` of the stage in infra/stage.ts say:',
    `  aws dynamodb update-table --table-name ${table} --deletion-protection-enabled --stream-specification StreamEnabled=true,StreamViewType=KEYS_ONLY`,
    `  aws dynamodb update-time-to-live --table-name ${table} --time-to-live-specification Enabled=true,AttributeName=ttl`,
    `  aws dynamodb update-continuous-backups --table-name ${table} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true,RecoveryPeriodInDays=<recoveryDays>`,
    '6. Its stream is a new one. Tell its ARN, and let the functions read it:',
    `  aws ssm put-parameter --overwrite --name ${streamArn} --value $(aws dynamodb describe-table --table-name ${table} --query Table.LatestStreamArn --output text)`,
    `  npx cdk deploy --exclusively Functions Api -c stage=${stage}`,
    '7. Check before you open: files that were stored since are still there, and payments made since are known to the acquirer alone.',
    `  npm run operate -- reconcile --stage ${stage}`,
    '8. Start the stage again: take back what step 3 has set (rate limit of the stage, concurrency of the background functions).',
  ]
}
