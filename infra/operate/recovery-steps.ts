import { namesOf } from '../names.ts'

/** The steps that store backups of a stage for longer than AWS does by itself. */
export function backupSteps(stage: string): string[] {
  const { table, vaultKey, dataKey } = namesOf(stage)
  return [
    '',
    'AWS stores every second of the table in the window above, and each version of a file for as long. To store a backup for longer:',
    `  aws dynamodb create-backup --table-name ${table} --backup-name ${table}-$(date +%Y%m%d)`,
    'A backup cannot be read without the keys, which never leave KMS. Check that neither key is scheduled for deletion:',
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
    `1. Restore the table under another name, encrypted with the same key, and wait until it exists:`,
    `${restoring(restored)} --restore-date-time ${moment} --sse-specification-override Enabled=true,SSEType=KMS,KMSMasterKeyId=${dataKey}`,
    `  aws dynamodb wait table-exists --table-name ${restored}`,
    '2. Check the restored table. Nothing uses it yet:',
    `  npm run operate -- reconcile --stage ${stage} --table ${restored}`,
    '   If only a few records were lost, copy them from it by hand, delete it, and stop here. To replace the whole table, continue.',
    '3. Stop the stage, so that no request and no worker writes:',
    `  aws apigateway update-stage --rest-api-id $(aws apigateway get-rest-apis --query "items[?name=='${api}'].id" --output text) --stage-name ${stage} --patch-operations op=replace,path='/*/*/throttling/rateLimit',value=0`,
    `  aws lambda list-functions --query "Functions[?starts_with(FunctionName,'${functions}')&&contains(FunctionName,'-background-')].FunctionName" --output text | xargs -n1 aws lambda put-function-concurrency --reserved-concurrent-executions 0 --function-name`,
    '4. Back up the current table, and give its name to the restored one:',
    `  aws dynamodb create-backup --table-name ${table} --backup-name ${table}-before-restore`,
    `  aws dynamodb update-table --table-name ${table} --no-deletion-protection-enabled`,
    `  aws dynamodb create-backup --table-name ${restored} --backup-name ${restored}`,
    `  aws dynamodb delete-table --table-name ${table} && aws dynamodb wait table-not-exists --table-name ${table}`,
    `  aws dynamodb restore-table-from-backup --target-table-name ${table} --backup-arn <ARN of ${restored}> --sse-specification-override Enabled=true,SSEType=KMS,KMSMasterKeyId=${dataKey}`,
    '5. A restored table has none of its settings. Set them again, to the values of `deletionProtection` and `recoveryDays` of the stage in infra/stage.ts:',
    `  aws dynamodb update-table --table-name ${table} --deletion-protection-enabled --stream-specification StreamEnabled=true,StreamViewType=KEYS_ONLY`,
    `  aws dynamodb update-time-to-live --table-name ${table} --time-to-live-specification Enabled=true,AttributeName=ttl`,
    `  aws dynamodb update-continuous-backups --table-name ${table} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true,RecoveryPeriodInDays=<recoveryDays>`,
    '6. The restored table has a new stream. Store its ARN, and let the functions read it:',
    `  aws ssm put-parameter --overwrite --name ${streamArn} --value $(aws dynamodb describe-table --table-name ${table} --query Table.LatestStreamArn --output text)`,
    `  npx cdk deploy --exclusively Functions Api -c stage=${stage}`,
    '7. Check the table before you start the stage. Files that were stored since that time still exist. Only the acquirer has payments that were made since.',
    `  npm run operate -- reconcile --stage ${stage}`,
    '8. Start the stage: undo step 3 (rate limit of the stage, concurrency of the background functions).',
  ]
}
