import { describe, expect, test } from 'vitest'
import { accepted } from './accepted.ts'
import { type Finding, verdictsOn } from './verdicts.ts'

const line = { rule: 'W1', place: 'AWS::SQS::Queue DependsOn.0', message: /^once more$/, reason: 'It does no harm.' }
const warning: Finding = {
  template: 'dev/Data',
  level: 'Warning',
  rule: 'W1',
  place: 'AWS::SQS::Queue DependsOn.0',
  message: 'once more',
}
const failed = (findings: Finding[]) =>
  verdictsOn(['dev/Data', 'prod/Data'], findings, [line])
    .filter(({ complaints }) => complaints.length > 0)
    .map(({ about }) => about)

describe('the verdicts on templates', () => {
  test('pass a template without findings and a template with an accepted warning', () => {
    expect(verdictsOn(['dev/Data', 'prod/Data'], [warning], [line])).toHaveLength(3)
    expect(failed([warning])).toEqual([])
  })

  test.each([
    ['of another rule', { rule: 'W2' }],
    ['at another place', { place: 'AWS::SQS::Queue DependsOn.1' }],
    ['with another message', { message: 'once more, and more' }],
    ['that is an error', { level: 'Error' }],
  ])('fail a template with a finding %s', (_, other) => {
    expect(failed([warning, { ...warning, ...other, template: 'prod/Data' }])).toEqual(['prod/Data'])
  })

  test('fail an accepted warning that no template has', () => {
    expect(failed([])).toEqual(['accepted W1 at AWS::SQS::Queue DependsOn.0'])
  })
})

test('every accepted warning states its reason', () => {
  for (const { rule, reason } of accepted) {
    expect(rule).toMatch(/^W\d{4}$/)
    expect(reason).toMatch(/^[A-Z].{20,}\.$/)
  }
})
