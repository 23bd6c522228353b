import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { GenericSchema } from 'valibot'
import { currency } from '#shared/resources/fields.ts'
import { metadata } from '#shared/resources/metadata.ts'
import { payment_details_object, session_payment_details } from '#shared/resources/payment-details.ts'
import { operationId } from '#shared/routes.ts'
import type { DescribedEndpoint } from './endpoints.ts'
import { errorSchemas } from './error-schemas.ts'
import { COMPONENTS, requestSchema, responseSchema, type Schema } from './json-schema.ts'
import { pascalCase } from './names.ts'
import { withReferences } from './references.ts'

/** The schemas of requests and responses as components, and the references to them. */
export interface ComponentSchemas {
  readonly components: Readonly<Record<string, Schema>>
  /** Returns a reference to the component of a request or a response. */
  refTo(schema: GenericSchema): Schema
}

const resources = join(import.meta.dirname, '../..', 'shared/resources')

/**
 * Returns the components of all requests and responses. The resource `PaymentResource` becomes `Payment`, a list of it
 * `PaymentList`, and a request keeps its name. A schema that no file exports gets a name from the path of its handler.
 */
export async function componentSchemas(endpoints: readonly DescribedEndpoint[]): Promise<ComponentSchemas> {
  const exported = await exportedSchemas()
  const responses = namesOfResponses(endpoints, exported)
  const requests = namesOfRequests(endpoints, exported)
  const named = Object.fromEntries([...responses].map(([schema, name]) => [name, schema]))
  const components = {
    ...Object.fromEntries([...requests].map(([schema, name]) => [name, requestSchema(schema)])),
    ...Object.fromEntries([...responses].map(([schema, name]) => [name, responseSchema(schema, named)])),
  }
  return {
    components: { ...withReferences(components, parts()), ...errorSchemas() },
    refTo: (schema) => ({ $ref: COMPONENTS + (requests.get(schema) ?? responses.get(schema)) }),
  }
}

type Names = Map<GenericSchema, string>

function namesOfResponses(endpoints: readonly DescribedEndpoint[], exported: Exported): Names {
  const resources = exported.filter(([name]) => name.endsWith('Resource'))
  const names: Names = new Map(resources.map(([name, schema]) => [schema, name.replace(/Resource$/, '')]))
  for (const endpoint of endpoints) {
    const { response } = endpoint
    if (!response || names.has(response)) continue
    const item = itemOf(response)
    const item_name = item && names.get(item)
    names.set(response, item_name ? `${item_name}List` : `${pascalCase(operationId(endpoint))}Response`)
  }
  return names
}

/** The schema of the records in a list, which is an array or has an array as its data. */
function itemOf(response: GenericSchema): GenericSchema | undefined {
  const { entries } = response as { readonly entries?: { readonly data?: GenericSchema } }
  return ((entries?.data ?? response) as { readonly item?: GenericSchema }).item
}

/** Whether a schema is that of a request with parameters. */
export const hasParameters = (request: GenericSchema | undefined): request is GenericSchema =>
  request !== undefined && Object.keys(requestSchema(request).properties ?? {}).length > 0

/** The records of an application have equal requests for their creation and their change, which share a name. */
function namesOfRequests(endpoints: readonly DescribedEndpoint[], exported: Exported): Names {
  const names: Names = new Map()
  for (const endpoint of endpoints) {
    const { request, method } = endpoint
    if (!hasParameters(request) || method === 'GET') continue
    const [name] = exported.find(([, schema]) => schema === request) ?? [nameByFolder(endpoint)]
    const taken = [...names].find(([, other]) => other === name)
    const is_free = !taken || isDeepStrictEqual(requestSchema(taken[0]), requestSchema(request))
    names.set(request, is_free ? name : `${pascalCase(operationId(endpoint))}Request`)
  }
  return names
}

/** `live-application/payment-methods/credit-card/create` becomes `CreditCardRequest`. */
const nameByFolder = ({ file }: DescribedEndpoint): string => `${pascalCase(file.split('/').at(-2)!)}Request`

/** The parts of requests that several requests share. */
const parts = (): Record<string, Schema> => ({
  Currency: requestSchema(currency),
  NewPaymentDetails: requestSchema(payment_details_object),
  NewSessionPaymentDetails: requestSchema(session_payment_details),
  Metadata: requestSchema(metadata),
})

/** The schemas that the files of shared/resources export, by their names. */
type Exported = readonly (readonly [name: string, schema: GenericSchema])[]

async function exportedSchemas(): Promise<Exported> {
  const files = readdirSync(resources).sort()
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(resources, file)).href)))
  return modules.flatMap((module) =>
    Object.entries(module as object).filter(([name, value]) => /^[A-Z]/.test(name) && value?.kind === 'schema'),
  ) as [string, GenericSchema][]
}
