import { describe, expect, test } from 'vitest'
import { refuseUnknown, withGiven } from '#infra/given.ts'
import { stageOf } from '#infra/stage.ts'
import { textOf } from '#test/house/source-files.ts'

const stage = stageOf('prod')
const given = (values: Record<string, unknown>) => withGiven(stage, (name) => values[name])
const certificate_arn = 'arn:aws:acm:ap-northeast-1:111122223333:certificate/0a1b-2c'

describe('withGiven', () => {
  test('leaves a stage as it is where nothing is given', () => {
    expect(given({})).toEqual(stage)
  })

  test('gives it a name of its own', () => {
    expect(given({ domain_name: 'api.shop.example', certificate_arn })).toEqual({
      ...stage,
      domain: { name: 'api.shop.example', certificate_arn },
    })
  })

  test.each([
    [{ domain_name: 'api.shop.example' }, 'certificate_arn must be the ARN of a certificate for api.shop.example: "".'],
    [{ certificate_arn }, 'domain_name must be a host name such as api.shop.example: "".'],
    [{ domain_name: 'https://api.shop.example', certificate_arn }, 'domain_name must be a host name'],
    [{ domain_name: 'api.shop.example', certificate_arn: 'arn:aws:iam::1:role/x' }, 'certificate_arn must be the ARN'],
    [{ alarm_emails: 'a@shop.example,b' }, 'alarm_emails must be addresses between commas: "b" is none.'],
    [{ fixed_addresses: 'yes' }, 'fixed_addresses must be true or false: "yes".'],
  ])('deploys nothing for %j', (values, sentence) => {
    expect(() => given(values)).toThrow(sentence)
  })

  test.each([
    ['a@shop.example, b@shop.example,', ['a@shop.example', 'b@shop.example']],
    [['a@shop.example'], ['a@shop.example']],
    ['', []],
  ])('tells of alarms whom %j names', (alarm_emails, expected) => {
    expect(given({ alarm_emails })).toEqual({ ...stage, alarmEmails: expected })
  })

  test.each([
    ['true', true],
    [true, true],
    ['false', false],
  ])('lets deliveries come from fixed addresses for %j: %s', (fixed_addresses, expected) => {
    expect(given({ fixed_addresses })).toEqual({ ...stage, fixedAddresses: expected })
  })
})

describe('refuseUnknown', () => {
  test('lets pass what deployments are given and what CDK keeps for itself', () => {
    const names = ['stage', 'domain_name', 'certificate_arn', 'alarm_emails', 'fixed_addresses', 'repository', 'stages']
    const of_cdk = [
      'cli-telemetry',
      'aws:cdk:bundling-stacks',
      'aws-cdk:enableDiffNoFail',
      '@aws-cdk/core:failSynthOnValidationErrors',
      'cdk-migrate',
      'availability-zones:account=111122223333:region=eu-west-1',
    ]
    expect(() => refuseUnknown([...names, 'oidc_provider_arn', ...of_cdk])).not.toThrow()
  })

  test.each(['fixed_adresses', 'Stage', 'alarm-emails', 'domain', 'cdk', ''])('deploys nothing for "%s"', (name) => {
    expect(() => refuseUnknown(['stage', name])).toThrow(
      `Nothing is given by the name of "${name}": the names are stage`,
    )
  })

  test('is asked before anything is deployed, and lets the command of CDK work', () => {
    const names = Object.keys(JSON.parse(textOf('cdk.json')).context)
    expect(() => refuseUnknown(names)).not.toThrow()
    const app = textOf('infra/app.ts')
    expect(app).toContain('\nrefuseUnknown(Object.keys(app.node.getAllContext()))\n')
  })
})
