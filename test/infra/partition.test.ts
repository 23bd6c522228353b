import { describe, expect, test } from 'vitest'
import { stageNames } from '#infra/stage.ts'
import { deploymentArtifact, everyStage, stageArtifacts } from '#test/fixtures/stage-stacks.ts'
import { allProperties } from '#test/fixtures/stages.ts'
import { sourceFiles, textOf } from '#test/house/source-files.ts'

/** The values of CloudFormation's pseudo parameters in Beijing, whose partition has its own names. */
const beijing: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws-cn',
  'AWS::URLSuffix': 'amazonaws.com.cn',
  'AWS::Region': 'cn-north-1',
  'AWS::AccountId': '111122223333',
}

/** All texts in a template, resolved for Beijing. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  const { Ref, 'Fn::Join': join } = value as { Ref?: string; 'Fn::Join'?: [string, unknown[]] }
  if (Ref !== undefined) return [beijing[Ref] ?? Ref]
  if (join !== undefined) return [join[1].map((part) => textsOf(part).join()).join(join[0])]
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsOf(inner)])
}

/**
 * Services whose principal is `<service>.amazonaws.com` in every partition. `sts` is also the default audience of
 * GitHub's tokens.
 */
const everywhere = ['apigateway', 'cloudwatch', 'events', 'lambda', 'sts'].map((service) => `${service}.amazonaws.com`)

/** The texts that contain an ARN or a host name of another partition than that of Beijing. */
const wrongIn = (texts: readonly string[]): string[] =>
  texts.filter((text) => /arn:aws:|\.amazonaws\.com(?!\.cn)/.test(text) && !everywhere.includes(text))

describe('the templates in another partition', () => {
  const templates = everyStage.map(
    ([title, stage]) => [title, stageArtifacts(stage).map(({ template }) => template)] as const,
  )

  test.each(templates)('contain the ARNs and the host names of the partition for %s', (_, made) => {
    const texts = made.flatMap(textsOf)
    expect(texts).toContain('logs.cn-north-1.amazonaws.com.cn')
    expect(texts).toContain('dynamodb.cn-north-1.amazonaws.com.cn')
    // The ARN of the certificate comes unchanged from the definition of the stage.
    expect(wrongIn(texts.filter((text) => text !== allProperties.domain.certificate_arn))).toEqual([])
  })

  const deployment = deploymentArtifact(stageNames).template
  test('contain the ARNs and the host names of the partition for DeploymentStack', () => {
    expect(wrongIn(textsOf(deployment))).toEqual([])
  })

  test.each([
    ['s3.cn-north-1.amazonaws.com', 's3.cn-north-1.amazonaws.com.cn'],
    ['arn:aws:s3:::files', 'arn:aws-cn:s3:::files'],
    ['https://sqs.cn-north-1.amazonaws.com/1/q', 'lambda.amazonaws.com'],
  ])('fail the check with the text %s and pass it with %s', (wrong, right) => {
    expect(wrongIn([wrong, right])).toEqual([wrong])
  })
})

test('no source file contains a host name or an ARN that is valid in one partition only', () => {
  const lines = ['infra', 'shared', 'functions'].flatMap(sourceFiles).flatMap((file) =>
    textOf(file)
      .split('\n')
      .map((line) => ({ file, line })),
  )
  // An ARN with the account number of AWS's documentation is an example in a message.
  const used = lines.filter(({ line }) => !line.includes(':111122223333:'))
  const spelled = used.filter(({ line }) => /amazonaws\.com|arn:aws:/.test(line))
  expect(spelled.length).toBeGreaterThan(0)
  const principal = /(?<=')(\w+)\.amazonaws\.com(?=')/g
  const wrong = spelled.filter(({ line }) =>
    /amazonaws\.com|arn:aws:/.test(line.replaceAll(principal, (name) => (everywhere.includes(name) ? '' : name))),
  )
  expect(wrong).toEqual([])
})
