import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stageNames } from '#infra/stage.ts'
import { propertiesOf, recordProperties, removeProperty } from '#infra/stage-definition.ts'
import { type PropertyName, propertyNames, propertyOf } from '#infra/stage-properties.ts'
import { allProperties, noProperties } from '#test/fixtures/stages.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stages-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

type Values = Readonly<Record<string, unknown>>

const all: Values = allProperties
const none: Values = { ...noProperties }

/** Writes a definition and the record beside it. */
function write(stage: string, definition: unknown, record: unknown = definition): void {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  writeFileSync(join(folder, `${stage}.json`), text(definition))
  writeFileSync(join(folder, `${stage}.lock.json`), text(record))
}

const read = (file: string): Values => JSON.parse(readFileSync(join(folder, file), 'utf8'))
const without = (values: Values, name: string): Values =>
  Object.fromEntries(Object.entries(values).filter(([one]) => one !== name))

/** Every property of every stage. */
const cells = stageNames.flatMap((stage) => propertyNames.map((property) => [stage, property] as const))

describe('propertiesOf', () => {
  test.each(stageNames)('reads the committed definition of %s', (stage) => {
    expect(Object.keys(propertiesOf(stage)).sort()).toEqual([...propertyNames].sort())
  })

  test.each([
    ['all properties', all],
    ['no properties', none],
  ])('reads a definition with %s', (_, values) => {
    write('prod', values)
    expect(propertiesOf('prod', folder)).toEqual(values)
  })

  test.each(cells)(
    'refuses a definition or a record of %s that does not state %s, and says what to write',
    (stage, property) => {
      write(stage, without(none, property), none)
      expect(() => propertiesOf(stage, folder)).toThrow(
        `infra/stages/${stage}.json does not state "${property}". Write "${property}": "none", or a value such as ${JSON.stringify(propertyOf(property).example)} (${propertyOf(property).takes}).`,
      )
      write(stage, none, without(none, property))
      expect(() => propertiesOf(stage, folder)).toThrow(
        `infra/stages/${stage}.lock.json does not state "${property}". Write "${property}": "none", or a value such as `,
      )
    },
  )

  test.each(cells)(
    'refuses a definition of %s that omits the recorded %s, and says how to keep or remove it',
    (stage, property) => {
      write(stage, without(all, property), all)
      expect(() => propertiesOf(stage, folder)).toThrow(
        `infra/stages/${stage}.json does not state "${property}". Write "${property}": ${JSON.stringify(all[property])}, or remove it with: npm run operate -- remove-property ${property} --stage ${stage}`,
      )
    },
  )

  test.each(cells)('refuses a definition of %s that changes the recorded %s to "none"', (stage, property) => {
    write(stage, { ...all, [property]: 'none' }, all)
    expect(() => propertiesOf(stage, folder)).toThrow(
      `infra/stages/${stage}.json removes "${property}", which ${stage} has. Write "${property}": ${JSON.stringify(all[property])}, or remove it with: npm run operate -- remove-property ${property} --stage ${stage}`,
    )
  })

  const { domain, fixed_addresses } = allProperties
  const [first, second] = fixed_addresses.addresses
  const third = { allocation_id: 'eipalloc-0cccccccccccccccc', public_ip: '203.0.113.12' }

  test.each([
    ['another name', { domain: { ...domain, name: 'pay.shop.example' } }],
    ['other receivers of alarms', { alarm_emails: ['sales@shop.example'] }],
    ['addresses that are off', { fixed_addresses: { ...fixed_addresses, on: false } }],
    ['another address', { fixed_addresses: { on: true, addresses: [first, third] } }],
    ['addresses in another order', { fixed_addresses: { on: true, addresses: [second, first] } }],
  ])('refuses %s as a removal of a recorded value', (_, edit) => {
    write('prod', { ...all, ...edit }, all)
    expect(() => propertiesOf('prod', folder)).toThrow(`removes "${Object.keys(edit)[0]}", which prod has.`)
  })

  test.each([
    ['a new property', { domain: all.domain }, none],
    ['a new certificate', { domain: { ...domain, certificate_arn: `${domain.certificate_arn}2` } }, all],
    ['one more receiver of alarms', { alarm_emails: ['on-call@shop.example', 'b@shop.example'] }, all],
    [
      'addresses that are on again',
      { fixed_addresses },
      { ...all, fixed_addresses: { ...fixed_addresses, on: false } },
    ],
  ])('asks to record %s, and accepts it once it is recorded', (_, edit, recorded) => {
    write('prod', { ...recorded, ...edit }, recorded)
    expect(() => propertiesOf('prod', folder)).toThrow(
      `infra/stages/prod.lock.json does not record the value of "${Object.keys(edit)[0]}" in infra/stages/prod.json. Run: npm run operate -- record-properties --stage prod, and commit both files.`,
    )
    recordProperties('prod', folder)
    expect(propertiesOf('prod', folder)).toEqual({ ...recorded, ...edit })
  })

  const addresses = (...list: unknown[]) => ({ fixed_addresses: { on: true, addresses: list } })

  test.each([
    { domain: 'api.shop.example' },
    { domain: null },
    { domain: { name: 'api.shop.example' } },
    { domain: { ...domain, name: 'https://api.shop.example' } },
    { domain: { ...domain, certificate_arn: 'arn:aws:iam::1:role/x' } },
    { domain: { ...domain, zone: 'shop.example' } },
    { alarm_emails: 'on-call@shop.example' },
    { alarm_emails: [] },
    { alarm_emails: ['on-call'] },
    { alarm_emails: ['a@shop.example', 'a@shop.example'] },
    { fixed_addresses: true },
    { fixed_addresses: { on: true } },
    { fixed_addresses: { on: 'true', addresses: [first, second] } },
    addresses(),
    addresses(first),
    addresses(first, first),
    addresses(first, second, third),
    addresses(first, { ...third, public_ip: '203.0.113.10' }),
    addresses(first, { ...third, public_ip: 'fe80::1' }),
    addresses(first, { ...third, allocation_id: '203.0.113.12' }),
    { fixed_addresses: [first, second] },
  ])('refuses the invalid value %j', (edit) => {
    write('prod', { ...none, ...edit })
    const [name, value] = Object.entries(edit)[0]!
    expect(() => propertiesOf('prod', folder)).toThrow(
      `"${name}" in infra/stages/prod.lock.json must be "none", or a value such as `,
    )
    write('prod', { ...none, ...edit }, none)
    expect(() => propertiesOf('prod', folder)).toThrow(`It is ${JSON.stringify(value)}.`)
  })

  test('refuses an unknown property unless its value is "none"', () => {
    write('prod', { ...none, acquirers: ['sandbox'] }, none)
    expect(() => propertiesOf('prod', folder)).toThrow('states "acquirers", which this version does not know.')
    write('prod', { ...none, acquirers: 'none' }, none)
    expect(propertiesOf('prod', folder)).toMatchObject(none)
  })

  test.each(propertyNames)('accepts the example value of %s', (name) => {
    const values = { ...none, [name]: propertyOf(name).example }
    write('prod', values)
    expect(propertiesOf('prod', folder)).toEqual(values)
  })

  test.each(['', '[]', 'null', '{"domain": '])('refuses a file with the content %j', (text) => {
    write('prod', text, none)
    expect(() => propertiesOf('prod', folder)).toThrow('infra/stages/prod.json is not a JSON object.')
    write('prod', none, text)
    expect(() => propertiesOf('prod', folder)).toThrow('infra/stages/prod.lock.json is not a JSON object.')
  })

  test('refuses a stage without a definition or without a record', () => {
    for (const file of ['prod.json', 'prod.lock.json']) {
      write('prod', none)
      rmSync(join(folder, file))
      expect(() => propertiesOf('prod', folder)).toThrow(`infra/stages/${file} cannot be read.`)
    }
  })
})

describe('removeProperty', () => {
  const line = fc.constantFrom('none', 'absent', 'present') as fc.Arbitrary<'none' | 'absent' | 'present'>
  const edit = fc.record(Object.fromEntries(propertyNames.map((name) => [name, line])))

  test('is needed for every removal: neither an edit nor recordProperties removes a property', () => {
    fc.assert(
      fc.property(fc.subarray([...propertyNames]), fc.array(edit, { maxLength: 3 }), (had, edits) => {
        write('prod', Object.fromEntries(propertyNames.map((name) => [name, had.includes(name) ? all[name] : 'none'])))
        for (const lines of edits) {
          const stated = propertyNames.filter((name) => lines[name] !== 'absent')
          const values = stated.map((name) => [name, lines[name] === 'present' ? all[name] : 'none'])
          writeFileSync(join(folder, 'prod.json'), JSON.stringify(Object.fromEntries(values)))
          try {
            recordProperties('prod', folder)
          } catch {}
          try {
            expect(propertiesOf('prod', folder)).toMatchObject(Object.fromEntries(had.map((name) => [name, all[name]])))
          } catch (error) {
            expect((error as Error).message).toMatch(/^infra\/stages\/prod\.json (does not state|removes)/)
          }
        }
      }),
    )
  })

  test.each(cells)('removes from %s only the property %s', (stage, property) => {
    write(stage, all)
    expect(removeProperty(stage, property, folder)).toEqual(all[property])
    const left = property === 'fixed_addresses' ? { ...(all[property] as object), on: false } : 'none'
    expect(propertiesOf(stage, folder)).toEqual({ ...all, [property]: left })
    expect(read(`${stage}.lock.json`)).toEqual({ ...all, [property]: left })
  })

  test('removes a property that an edit has already deleted from the definition', () => {
    write('prod', without(all, 'domain'), all)
    removeProperty('prod', 'domain', folder)
    expect(propertiesOf('prod', folder)).toEqual({ ...all, domain: 'none' })
  })

  test('switches fixed addresses off at the first call and removes them at the second', () => {
    write('prod', all)
    for (const left of [{ ...(all.fixed_addresses as object), on: false }, 'none']) {
      removeProperty('prod', 'fixed_addresses', folder)
      expect(propertiesOf('prod', folder)).toEqual({ ...all, fixed_addresses: left })
    }
  })

  test.each(propertyNames)('refuses to remove %s from a stage that does not have it', (name: PropertyName) => {
    write('prod', none)
    expect(() => removeProperty('prod', name, folder)).toThrow(`prod has no "${name}".`)
    expect(read('prod.json')).toEqual(none)
  })
})
