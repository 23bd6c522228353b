import { describe, expect, test } from 'vitest'
import { refuseContradictions, refuseUnknown, releasedSlot } from '#infra/cdk-context.ts'
import { propertyNames, propertyOf, type StageProperties } from '#infra/stage-properties.ts'
import { allProperties, noProperties } from '#test/fixtures/stages.ts'
import { textOf } from '#test/house/source-files.ts'

const given = (properties: StageProperties, values: Record<string, unknown>) => () =>
  refuseContradictions('prod', properties, (name) => values[name])

/** The values that `-c` can state for each property: in a stage with all properties, and in one with none. */
// biome-ignore format: a table
const stated = [
  ['domain_name',     'api.shop.example',                                          'none'],
  ['certificate_arn', 'arn:aws:acm:eu-west-1:111122223333:certificate/1',          'none'],
  ['alarm_emails',    'on-call@shop.example',                                      'none'],
  ['fixed_addresses', 'true',                                                      'false'],
] as const

describe('refuseContradictions', () => {
  test('accepts a command line that states no property', () => {
    for (const properties of [allProperties, noProperties]) expect(given(properties, {})).not.toThrow()
  })

  test('is tested with every name that states a property', () => {
    const names = propertyNames.flatMap((name) => Object.keys(propertyOf(name).context))
    expect(stated.map(([name]) => name)).toEqual(names)
  })

  test.each(stated)('accepts -c %s=%s if the definition says the same', (name, all, none) => {
    expect(given(allProperties, { [name]: all })).not.toThrow()
    expect(given(noProperties, { [name]: none })).not.toThrow()
  })

  test.each(stated)('refuses -c %s if the definition says something else', (name, all, none) => {
    const says = (value: string, other: string) =>
      `-c ${name}=${other} contradicts infra/stages/prod.json, which says ${value}. Only the definition changes "`
    for (const other of [none, 'another', '']) expect(given(allProperties, { [name]: other })).toThrow(says(all, other))
    for (const other of [all, 'another', '']) expect(given(noProperties, { [name]: other })).toThrow(says(none, other))
  })

  test.each([['a@shop.example, b@shop.example,'], [['a@shop.example', 'b@shop.example']]])(
    'accepts the list %j in the form of the command line or of cdk.json',
    (alarm_emails) => {
      const properties = { ...noProperties, alarm_emails: ['a@shop.example', 'b@shop.example'] }
      expect(given(properties, { alarm_emails })).not.toThrow()
    },
  )

  test('refuses -c fixed_addresses=true if the addresses are switched off', () => {
    const fixed_addresses = { ...allProperties.fixed_addresses, on: false }
    expect(given({ ...noProperties, fixed_addresses }, { fixed_addresses: true })).toThrow('-c fixed_addresses=true')
    expect(given({ ...noProperties, fixed_addresses }, { fixed_addresses: false })).not.toThrow()
  })
})

describe('refuseUnknown', () => {
  test('accepts the names that deployments use and the names of CDK', () => {
    const names = ['stage', ...stated.map(([name]) => name), 'repository', 'stages']
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

  test.each(['fixed_adresses', 'Stage', 'alarm-emails', 'domain', 'cdk', ''])('refuses the name "%s"', (name) => {
    expect(() => refuseUnknown(['stage', name])).toThrow(`There is no context value "${name}". The names are: stage`)
  })

  test('accepts the names in cdk.json, and infra/app.ts calls both checks', () => {
    const names = Object.keys(JSON.parse(textOf('cdk.json')).context)
    expect(() => refuseUnknown(names)).not.toThrow()
    const app = textOf('infra/app.ts')
    expect(app).toContain('\nrefuseUnknown(Object.keys(app.node.getAllContext()))\n')
    expect(app).toContain('\nrefuseContradictions(name, properties, given)\n')
  })
})

describe('releasedSlot', () => {
  const prod = { name: 'prod', hasSlots: true }

  test('returns the slot of a release, and undefined for a plain synthesis', () => {
    expect(releasedSlot(prod, () => 'b')).toBe('b')
    expect(releasedSlot(prod, () => undefined)).toBeUndefined()
  })

  test('refuses an unknown slot, and any slot of a stage without slots', () => {
    expect(() => releasedSlot(prod, () => 'c')).toThrow('There is no slot "c". The slots are: a, b.')
    expect(() => releasedSlot({ name: 'dev', hasSlots: false }, () => 'a')).toThrow('The stage dev has no slots.')
  })
})
