import { html } from 'hono/html'
import { resolved, type Schema } from './api-description.ts'
import type { Html } from './guide.ts'
import { withCode } from './reference-text.ts'
import { factsOf, typeOf } from './schema-words.ts'
import { type ObjectPlace, placeOf } from './shared-objects.ts'
import { pathTo, type Site } from './site.ts'

/** How deep nested fields are shown. Deeper fields are described by their type alone. */
const DEPTH_MAX = 4

/** A field of a request or a resource. */
export interface Field {
  readonly name: string
  readonly schema: Schema
  readonly description?: string
  /** Whether a request must have the field. Undefined in a response. */
  readonly is_required?: boolean
}

/** Returns the fields of an object. `is_request` marks which of them are required. */
export function fieldsIn(schema: Schema, is_request: boolean): Field[] {
  return variantsOf(schema).flatMap((variant) =>
    Object.entries(variant.properties ?? {}).map(([name, property]) => ({
      name,
      schema: property,
      ...(is_request && { is_required: variant.required?.includes(name) ?? false }),
    })),
  )
}

/** Shows fields as a list: name, type, meaning and limits, nested fields inside. */
export function fieldList(site: Site, fields: readonly Field[], depth = 0): Html | '' {
  if (fields.length === 0) return ''
  return html`<ul class="fields">${fields.map((field) => fieldItem(site, field, depth))}</ul>`
}

function fieldItem(site: Site, { name, schema, description, is_required }: Field, depth: number): Html {
  const found = resolved<Schema>(schema)
  const text = description ?? schema.description ?? found.description
  const facts = factsOf(found)
  return html`<li><p><code>${name}</code> <span>${typeOf(schema)}</span>${is_required ? html` <em>required</em>` : ''}</p>${text ? html`<p>${withCode(text)}</p>` : ''}${facts ? html`<p class="facts">${facts}</p>` : ''}${nestedIn(site, schema, is_required !== undefined, depth)}</li>`
}

/** Shows the fields inside a field. Alternatives are shown one below the other, each under its name. */
function nestedIn(site: Site, schema: Schema, is_request: boolean, depth: number): Html | '' {
  const places = referenced(schema).flatMap((one) => placeOf(one) ?? [])
  if (places.length > 0)
    return html`<p class="facts">See ${places.map((place, at) => html`${at > 0 ? ', ' : ''}${placeLink(site, place)}`)}.</p>`
  if (depth >= DEPTH_MAX) return ''
  const variants = objectsIn(schema)
  const shown = variants.flatMap((variant) => {
    const fields = fieldsIn(variant, is_request)
    return fields.length === 0 ? [] : [{ label: labelOf(variant), fields }]
  })
  if (shown.length === 0) return ''
  return html`${shown.map(({ label, fields }) => html`<details><summary>${shown.length > 1 && label ? label : 'Fields'} <small>(${fields.length})</small></summary>${fieldList(site, fields, depth + 1)}</details>`)}`
}

const placeLink = (site: Site, { name, page, anchor }: ObjectPlace): Html =>
  html`<a href="${pathTo(site, page, 'en', anchor)}">${name}</a>`

/** The objects that a value can be, also as elements of a list. */
function objectsIn(schema: Schema): Schema[] {
  const found = resolved<Schema>(schema)
  if (found.items) return objectsIn(found.items)
  if (found.properties || found.allOf) return [found]
  return (found.anyOf ?? found.oneOf ?? []).flatMap(objectsIn)
}

/** The schema itself, and those that a value or an element of a list can have. */
function referenced(schema: Schema): Schema[] {
  const own = schema.$ref === undefined ? schema : {}
  return [
    schema,
    ...[own.items, ...(own.anyOf ?? []), ...(own.oneOf ?? [])].flatMap((one) => (one ? referenced(one) : [])),
  ]
}

/** The parts whose fields belong to one object. Of a union, the fields of all its objects are merged. */
function variantsOf(schema: Schema): Schema[] {
  const found = resolved<Schema>(schema)
  if (!found.properties && !found.allOf)
    return [mergedOf((found.oneOf ?? found.anyOf ?? []).map((one) => resolved<Schema>(one)))]
  return [found, ...(found.allOf ?? []).map((part) => resolved<Schema>(part))]
}

/** Merges objects into one. A field that differs among them can be each of its schemas. */
function mergedOf(objects: readonly Schema[]): Schema {
  const pairs = objects.flatMap(({ properties = {} }) => Object.entries(properties))
  const byName = Map.groupBy(pairs, ([name]) => name)
  const merged = Array.from(byName, ([name, own]) => {
    const different = new Map(own.map(([, schema]) => [JSON.stringify({ ...schema, description: '' }), schema]))
    const [first] = different.values()
    return [name, different.size === 1 ? first! : { description: first!.description, oneOf: [...different.values()] }]
  })
  return { properties: Object.fromEntries(merged) }
}

/** Returns the name of a variant: the value of its field `type` or `resource`. */
export function labelOf(schema: Schema): string | undefined {
  const type = schema.properties?.type ?? schema.properties?.resource
  const value = type?.const ?? (type?.enum?.length === 1 ? type.enum[0] : undefined)
  return typeof value === 'string' ? value : (schema.title ?? undefined)
}
