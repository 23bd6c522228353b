import { describe, expect, test } from 'vitest'
import { withGiven } from '#infra/given.ts'
import { stageOf } from '#infra/stage.ts'

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
