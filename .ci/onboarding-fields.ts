import { readFileSync } from 'node:fs'
import { type FieldKind, onboarding_tables } from '#test/functions/live-application/record-fields.ts'

/**
 * Compares the names and types of the onboarding fields in the tests with the tables of the API reference:
 * `node .ci/onboarding-fields.ts <reference.md>`.
 */
const [file = ''] = process.argv.slice(2)
const [, section = ''] = readFileSync(file, 'utf8').split('### Onboarding records\n')
const [text = ''] = section.split('\n## ')

const types: Readonly<Record<FieldKind, string>> = {
  text: 'string',
  short_text: 'string',
  long_text: 'string',
  kana: 'string',
  url: 'string',
  email: 'string',
  date: 'date',
  time: 'string',
  country: 'string',
  currency: 'string',
  integer: 'integer',
  integer_as_text: 'string',
  boolean: 'boolean',
  files: 'array of file id',
  private_file: 'file id',
  corporation_type: 'string',
  account_type: 'string',
}

/** The fields of a record that has a table in the API reference, each as `name type`. */
function tableOf(record: string): string[] {
  const [, table = ''] = text.split(`#### ${record}\n`)
  const rows = [...table.split('\n####')[0]!.matchAll(/^\| ([a-z_, ]+) \| ([^|]+) \|([^|]*)\|$/gm)]
  return rows.flatMap(([, names = '', type = '', notes = '']) =>
    notes.includes('response only') ? [] : names.split(', ').map((name) => `${name} ${type.replace(' or null', '')}`),
  )
}

/** The fields of a payment method, which the API reference lists in one line, each as `name type`. */
function lineOf(record: string): string[] {
  const [, line = ''] = new RegExp(`^\\| ${record} \\| (.*) \\|$`, 'm').exec(text) ?? []
  return line.split(/;(?![^(]*\))/).flatMap((part) => {
    const type = /array of file id/.test(part) ? 'array of file id' : /boolean/.test(part) ? 'boolean' : 'string'
    const names = part.replace(/\([^)]*\)/g, '').match(/[a-z_]+/g) ?? []
    return names.map((name) => `${name} ${type}`)
  })
}

const complaints = Object.entries(onboarding_tables).flatMap(([path, fields]) => {
  const record = path.replace('payment_methods/', '')
  const theirs = path === record ? tableOf(record) : lineOf(record)
  const ours = Object.entries(fields).map(([name, kind]) => `${name} ${types[kind as FieldKind]}`)
  return [
    ...theirs.filter((field) => !ours.includes(field)).map((field) => `${path} lacks ${field}`),
    ...ours
      .filter((field) => !theirs.includes(field))
      .map((field) => `${path} has ${field}, which the reference has not`),
    ...(theirs.length === 0 ? [`${path} was not found in the reference`] : []),
  ]
})

for (const complaint of complaints) console.error(complaint)
process.exitCode = complaints.length > 0 ? 1 : 0
