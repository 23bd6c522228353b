import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import type { Exchange } from '#test/fixtures/stripe/emulator.ts'

interface Schema {
  [keyword: string]: unknown
  properties?: Record<string, Schema>
  nullable?: boolean
}

interface Operation {
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: Schema }[]
  readonly requestBody?: { content: Record<string, { schema: Schema }> }
  readonly responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface Description {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { schemas: Record<string, Schema> }
}

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/** Checks traffic against Stripe's API description. A field that the description does not name is a violation. */
export class TrafficSchema {
  readonly #description: Description
  readonly #requests = new Ajv({ strict: false, validateFormats: false, coerceTypes: true, allErrors: true })
  readonly #answers = new Ajv({ strict: false, validateFormats: false, allErrors: true })
  readonly #checks = new Map<string, ValidateFunction>()

  constructor(folder: string) {
    this.#description = closed(JSON.parse(readFileSync(`${folder}/spec3.json`, 'utf8'))) as unknown as Description
    const { components } = this.#description
    for (const ajv of [this.#requests, this.#answers]) ajv.addSchema({ $id: 'stripe', components })
  }

  /** Returns what is wrong with a request and its answer. */
  violations({ method, path, form, status, answer }: Exchange): string[] {
    const operation = this.#description.paths[path]?.[method.toLowerCase()]
    if (operation === undefined) return [`${method} ${path} is not in the description`]
    const name = `${method} ${path}`
    const request = this.#check(this.#requests, `${name} request`, () => requestSchema(operation, method))
    const response = status < 400 ? '200' : 'default'
    const schema = () => operation.responses[response]!.content![JSON_TYPE]!.schema
    const answered = this.#check(this.#answers, `${name} ${response}`, schema)
    return [
      ...found(request, structuredClone(form), `${name}: request`),
      ...found(answered, answer, `${name}: ${status}`),
    ]
  }

  /** Returns what is wrong with an object, by the schema of its name. */
  violationsOf(name: string, object: unknown): string[] {
    const schema = () => ({ $ref: `stripe#/components/schemas/${name}` })
    return found(this.#check(this.#answers, name, schema), object, name)
  }

  #check(ajv: Ajv, name: string, schema: () => Schema): ValidateFunction {
    let check = this.#checks.get(name)
    if (check === undefined) {
      check = ajv.compile(JSON.parse(JSON.stringify(schema()).replaceAll('"#/components/', '"stripe#/components/')))
      this.#checks.set(name, check)
    }
    return check
  }
}

function requestSchema({ parameters = [], requestBody }: Operation, method: Exchange['method']): Schema {
  if (method === 'POST') return requestBody!.content[FORM]!.schema
  const query = parameters.filter((parameter) => parameter.in === 'query')
  return {
    type: 'object',
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

/** Returns the errors at the deepest place, since an object of one kind breaks the schemas of all other kinds. */
function found(check: ValidateFunction, value: unknown, place: string): string[] {
  if (check(value)) return []
  const errors = check.errors!
  const depth = Math.max(...errors.map(({ instancePath }) => instancePath.split('/').length))
  return errors
    .filter(({ instancePath }) => instancePath.split('/').length === depth)
    .map(({ instancePath, message, params }) => `${place}${instancePath} ${message} ${JSON.stringify(params)}`)
}

/** Turns a description of OpenAPI 3.0 into JSON Schema, and closes every object that lists its fields. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closed(inner)])) as Schema
  const is_schema = typeof copy.type === 'string' || copy.anyOf !== undefined || copy.$ref !== undefined
  if (!is_schema) return copy
  const { nullable, ...schema } = copy
  const lists_fields = schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0
  if (lists_fields) schema.additionalProperties ??= false
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema
}
