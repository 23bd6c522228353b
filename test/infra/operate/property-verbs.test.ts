import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operate } from '#infra/operate/operate.ts'
import { propertyVerbs } from '#infra/operate/property-verbs.ts'
import type { Call } from '#infra/operate/verb.ts'
import { allProperties, noProperties } from '#test/fixtures/stages.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stages-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function write(definition: object, record: object): void {
  writeFileSync(join(folder, 'prod.json'), JSON.stringify(definition))
  writeFileSync(join(folder, 'prod.lock.json'), JSON.stringify(record))
}

const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))

/** Runs a verb on the definitions in the folder. Returns the lines that it prints. */
async function runVerb(verb: string, ...args: string[]): Promise<string> {
  const lines: string[] = []
  const call = { stage: 'prod', args, options: {}, data_dir: folder, out: (line: string) => lines.push(line) }
  await propertyVerbs(folder)[verb]!.run(call as unknown as Call)
  return lines.join('\n')
}

describe('operate record-properties', () => {
  test('records the properties that the definition adds', async () => {
    write(allProperties, noProperties)
    expect(await runVerb('record-properties')).toBe('Commit infra/stages/prod.json and infra/stages/prod.lock.json.')
    expect(read('prod.lock.json')).toEqual(allProperties)
  })

  test('refuses to record a removal', async () => {
    write(noProperties, allProperties)
    await expect(runVerb('record-properties')).rejects.toThrow('removes "domain", which prod has.')
    expect(read('prod.lock.json')).toEqual(allProperties)
  })
})

describe('operate remove-property', () => {
  test('removes a domain, and prints how to delete the name that API Gateway keeps', async () => {
    write(allProperties, allProperties)
    const steps = await runVerb('remove-property', 'domain')
    expect(read('prod.json')).toEqual({ ...allProperties, domain: 'none' })
    expect(steps).toContain('1. Commit infra/stages/prod.json and infra/stages/prod.lock.json, and deploy prod.')
    expect(steps).toContain('aws apigateway delete-domain-name --domain-name api.shop.example')
  })

  test('switches fixed addresses off, then removes them, and prints the next steps', async () => {
    write(allProperties, allProperties)
    const steps = await runVerb('remove-property', 'fixed_addresses')
    expect(read('prod.json').fixed_addresses).toEqual({ ...allProperties.fixed_addresses, on: false })
    expect(steps).toContain('aws cloudformation delete-stack --stack-name payment-service-prod-network')
    expect(await runVerb('remove-property', 'fixed_addresses')).toContain(
      'Release 203.0.113.11: aws ec2 release-address --allocation-id eipalloc-0bbbbbbbbbbbbbbbb',
    )
    expect(read('prod.json').fixed_addresses).toBe('none')
  })

  test('removes the receivers of alarms and prints their addresses', async () => {
    write(allProperties, allProperties)
    expect(await runVerb('remove-property', 'alarm_emails')).toContain(
      'alarm_emails of prod was ["on-call@shop.example"].',
    )
    expect(read('prod.lock.json').alarm_emails).toBe('none')
  })

  test('refuses an unknown property', async () => {
    await expect(runVerb('remove-property', 'toString')).rejects.toThrow(
      'There is no property "toString". The properties are: domain, ',
    )
  })

  test.each(['record-properties', 'remove-property domain'])('%s requires a stage', async (words) => {
    const err: string[] = []
    const code = await operate([...words.split(' '), '--local'], {
      out: () => {},
      err: (line) => err.push(line),
      env: {},
    })
    expect([code, err[0]]).toEqual([2, 'The stage is missing: --stage <stage>.'])
  })
})
