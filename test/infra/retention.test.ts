import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api'
import { describe, expect, test } from 'vitest'
import { deploymentArtifact, everyStage, stageArtifacts } from '#test/fixtures/stage-stacks.ts'
import { fullStageOf } from '#test/fixtures/stages.ts'
import { sourceFiles, textOf } from '#test/house/source-files.ts'

interface Resource {
  readonly Type: string
  readonly DeletionPolicy?: string
  readonly UpdateReplacePolicy?: string
  // biome-ignore lint/suspicious/noExplicitAny: properties have every shape
  readonly Properties: any
}

const resourcesOf = (artifacts: readonly CloudFormationStackArtifact[], type: string): Resource[] =>
  artifacts
    .flatMap(({ template }) => Object.values<Resource>(template.Resources))
    .filter(({ Type }) => Type === `AWS::${type}`)

describe.each(everyStage)('the stacks of %s', (_, stage) => {
  const artifacts = stageArtifacts(stage)
  const logs = resourcesOf(artifacts, 'Logs::LogGroup')
  const is_protected = stage.name !== 'dev'
  const policy = is_protected ? 'Retain' : 'Delete'

  test(is_protected ? 'have termination protection' : 'have no termination protection', () => {
    expect(artifacts.length).toBeGreaterThanOrEqual(4)
    for (const { stackName, terminationProtection } of artifacts)
      expect(terminationProtection, stackName).toBe(is_protected)
  })

  test(is_protected ? 'retain every log group on deletion' : 'delete every log group on deletion', () => {
    expect(logs.length).toBeGreaterThan(80)
    for (const { DeletionPolicy, UpdateReplacePolicy, Properties } of logs)
      expect([DeletionPolicy, UpdateReplacePolicy], Properties.LogGroupName).toEqual([policy, policy])
  })

  // A stack that is created again adopts a retained log group by its name.
  test('give every log group a fixed and unique name', () => {
    const names = logs.map(({ Properties }) => Properties.LogGroupName)
    for (const name of names) expect(name).toEqual(expect.stringContaining(`payment-service-${stage.name}-`))
    expect(new Set(names).size).toBe(names.length)
  })

  test('give every log group the retention of the stage', () => {
    for (const { Properties } of logs) expect(Properties.RetentionInDays).toBe(stage.logRetention)
  })

  test(`${is_protected ? 'retain' : 'delete'} both encryption keys on deletion`, () => {
    const keys = resourcesOf(artifacts, 'KMS::Key')
    expect(keys).toHaveLength(2)
    for (const key of keys) expect([key.DeletionPolicy, key.UpdateReplacePolicy]).toEqual([policy, policy])
    const aliases = resourcesOf(artifacts, 'KMS::Alias')
    expect(aliases).toHaveLength(2)
    for (const { DeletionPolicy, Properties } of aliases) {
      expect(DeletionPolicy).toBe(is_protected ? 'RetainExceptOnCreate' : 'Delete')
      expect(Properties.AliasName).toEqual(expect.any(String))
    }
  })

  test('allow their roles no action on logs except creating log streams and writing log events', () => {
    const statements = resourcesOf(artifacts, 'IAM::Role').flatMap(({ Properties }) =>
      (Properties.Policies ?? []).flatMap(
        ({ PolicyDocument }: { PolicyDocument: { Statement: { Action: string | string[] }[] } }) =>
          PolicyDocument.Statement,
      ),
    )
    const actions = new Set<string>(statements.flatMap(({ Action }) => Action))
    expect([...actions].filter((action) => /^(logs:|\*)/.test(action)).sort()).toEqual([
      'logs:CreateLogStream',
      'logs:PutLogEvents',
    ])
  })
})

describe('DeploymentStack', () => {
  const cases = [['dev'], ['staging'], ['prod'], ['dev', 'staging', 'prod']].map((stages) => ({
    stages,
    artifact: deploymentArtifact(stages),
  }))

  test.each(cases)(
    'has termination protection for $stages only if one of them is protected',
    ({ stages, artifact }) => {
      expect(artifact.terminationProtection).toBe(stages.some((name) => name !== 'dev'))
    },
  )
})

test('these tests cover every stack class of the source', () => {
  const classes = sourceFiles('infra').filter((file) => textOf(file).includes(' extends Stack '))
  const of_a_stage = stageArtifacts(fullStageOf('prod'))
  // The class of the functions makes a stack for each slot.
  expect(of_a_stage).toHaveLength(classes.length - ['DeploymentStack'].length + ['FunctionsB'].length)
})
