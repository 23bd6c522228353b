import { html } from 'hono/html'
import { resolved, type Schema } from './api-description.ts'
import type { Html } from './guide.ts'
import { singular } from './resource-names.ts'

/** The most values of a field that are listed. */
const VALUES_MAX = 30

/** Returns the type of a value in words: `string`, `integer or null`, `list of objects`. */
export function typeOf(schema: Schema): string {
  const found = resolved<Schema>(schema)
  const alternatives = found.type === undefined && !found.properties ? (found.anyOf ?? found.oneOf) : undefined
  if (alternatives) return joined([...new Set(alternatives.map(typeOf))])
  const types = [found.type ?? (found.properties || found.allOf ? 'object' : [])].flat()
  const words = types.map((type) => (type === 'array' && found.items ? `list of ${plural(typeOf(found.items))}` : type))
  if (words.length > 0) return joined(words)
  const values = found.enum ?? (found.const === undefined ? [] : [found.const])
  return joined([...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]) || 'any'
}

const joined = (words: readonly string[]): string =>
  [...words.filter((word) => word !== 'null'), ...words.filter((word) => word === 'null')].join(' or ')

const plural = (type: string): string => (/^(string|integer|number|object|boolean)$/.test(type) ? `${type}s` : type)

/** Returns the limits, the default and the values of a field, in words. */
export function factsOf(schema: Schema): Html | '' {
  const all = valuesIn(schema)
  // A description that names the only value, such as the kind of the object, says enough.
  const values = all.length === 1 && schema.description?.includes(all[0]!) ? [] : all
  const facts = [
    // A text that must not be empty needs no mention.
    range(schema.minLength === 1 ? undefined : schema.minLength, schema.maxLength, 'characters'),
    range(schema.minItems, schema.maxItems, 'entries'),
    range(schema.minimum, schema.maximum, ''),
    ...(schema.default === undefined ? [] : [`Default: ${JSON.stringify(schema.default)}`]),
  ].filter((fact) => fact !== '')
  if (facts.length === 0 && values.length === 0) return ''
  return html`${valueList(values)}${facts.map((fact) => `${fact}. `).join('')}`
}

function valueList(values: readonly string[]): Html | '' {
  if (values.length === 0) return ''
  if (values.length > VALUES_MAX)
    return html`One of ${values.length} values, such as <code>${values.find((value) => value === 'JPY') ?? values[0]}</code>. `
  const list = values.map((value, at) => html`${at > 0 ? ', ' : ''}<code>${value}</code>`)
  return html`${values.length > 1 ? 'One of' : 'Always'} ${list}. `
}

function valuesIn(schema: Schema): string[] {
  const alternatives = schema.type === undefined ? (schema.anyOf ?? schema.oneOf) : undefined
  if (alternatives) return [...new Set(alternatives.flatMap((one) => valuesIn(resolved<Schema>(one))))]
  if (schema.items) return valuesIn(resolved<Schema>(schema.items))
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  // A boolean that is also accepted as text has each value twice.
  return [...new Set(values.filter((value) => value !== null).map(String))]
}

/** The largest whole number of JavaScript, which states no limit to a reader. */
const UNLIMITED = Number.MAX_SAFE_INTEGER

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const least = min === undefined || min === 0 || min === -UNLIMITED ? undefined : min.toLocaleString('en')
  const most = max === undefined || max === UNLIMITED ? undefined : max.toLocaleString('en')
  const words = unit === '' ? '' : ` ${(max ?? min) === 1 ? singular(unit) : unit}`
  if (least !== undefined && most !== undefined) return `From ${least} to ${most}${words}`
  if (most !== undefined) return `At most ${most}${words}`
  return least === undefined ? '' : `At least ${least}${words}`
}
