import description from '#shared/openapi.json' with { type: 'json' }

/** A JSON Schema, as far as the reference shows it. */
export interface Schema {
  readonly $ref?: string
  readonly title?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** The body of a request or of a response in one content type. */
export interface Content {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value?: unknown; readonly $ref?: string }>>
}

/** A parameter of a request outside its body. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
  readonly example?: unknown
}

/** A body of a request or a response, in its content types. */
export interface Body {
  readonly $ref?: string
  readonly description?: string
  readonly required?: boolean
  readonly content?: Readonly<Record<string, Content>>
}

/** An operation of the API: an endpoint as the API description states it. */
export interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: Body
  readonly responses?: Readonly<Record<string, Body>>
}

/** The API description: an OpenAPI 3.1 document, as far as the documentation shows it. */
export interface ApiDescription {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, { readonly post?: Operation }>>
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The API description that this version of the service has. */
export const apiDescription = description as unknown as ApiDescription

let served: { readonly api_url: string; readonly text: string } | undefined

/** Returns the API description as compact JSON, with the base URL of the API as its server. */
export function apiDescriptionText(api_url: string): string {
  if (served?.api_url !== api_url)
    served = { api_url, text: JSON.stringify({ ...description, servers: [serverAt(api_url)] }) }
  return served.text
}

/** The server of the API description, with a base URL as the default. */
function serverAt(api_url: string): object {
  const [server] = description.servers
  const base_url = { ...server!.variables.base_url, default: api_url }
  return { ...server, variables: { base_url } }
}

/** Returns what a `$ref` refers to, or the value itself if it is no reference. Throws if nothing is there. */
export function resolved<T extends object>(value: T | { readonly $ref?: string }): T {
  if (!('$ref' in value) || value.$ref === undefined) return value as T
  const found = value.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], apiDescription)
  if (found === undefined) throw new Error(`the API description has no ${value.$ref}`)
  return resolved(found as T)
}

/** Returns the name of the component that a reference leads to: `Payment` for `#/components/schemas/Payment`. */
export const nameOfRef = ({ $ref }: { readonly $ref?: string }): string | undefined => $ref?.split('/').at(-1)

/** Returns the example of a body, or undefined if it has none. */
export const exampleOf = (content: Content | undefined): unknown => examplesOf(content)[0]

/** Returns all examples of a body. */
export const examplesOf = (content: Content | undefined): unknown[] =>
  content?.example === undefined
    ? Object.values(content?.examples ?? {}).map((example) => resolved<{ readonly value?: unknown }>(example).value)
    : [content.example]
