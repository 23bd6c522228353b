import { apiDescription, nameOfRef, resolved, type Schema } from './api-description.ts'
import { resources } from './resources.ts'

/** Where the reference describes an object that fields of other pages hold. */
export interface ObjectPlace {
  readonly name: string
  readonly page: string
  readonly anchor: string
}

/** A union of objects that several fields hold, such as the payment details: a page of the reference. */
export interface DescribedUnion {
  readonly name: string
  /** The last segment of the page's path, such as `new_payment_details`. */
  readonly slug: string
  readonly title: string
  readonly schema: Schema
  readonly variants: readonly Schema[]
}

/** The fewest variants of a union that has a page of its own. */
const VARIANTS_MIN = 3

let known_unions: readonly DescribedUnion[] | undefined

/** Returns the unions of objects in the API description, in its order. */
export function unions(): readonly DescribedUnion[] {
  known_unions ??= Object.entries(apiDescription.components?.schemas ?? {}).flatMap(([name, value]) => {
    const schema = value as Schema
    const variants = variantsOf(schema)
    return variants.length < VARIANTS_MIN || isResource(name) ? [] : [{ name, ...namesOf(name), schema, variants }]
  })
  return known_unions
}

const isResource = (name: string): boolean => resources().some((resource) => resource.objects.has(name))

/** Returns the objects of a union, also those of a union inside it. */
function variantsOf(schema: Schema): Schema[] {
  if (schema.properties) return []
  return (schema.oneOf ?? schema.anyOf ?? []).flatMap((one) => {
    const found = resolved<Schema>(one)
    return found.properties ? [found] : variantsOf(found)
  })
}

/** `NewPaymentDetails` has the slug `new_payment_details` and the title `New payment details`. */
function namesOf(name: string) {
  const slug = name.replaceAll(/(?<=[a-z])([A-Z])/g, '_$1').toLowerCase()
  const title = slug.replaceAll('_', ' ')
  return { slug, title: title.charAt(0).toUpperCase() + title.slice(1) }
}

let known_places: ReadonlyMap<string, ObjectPlace> | undefined

/** Returns where the reference describes a referenced object, or undefined if a field shows it inside. */
export function placeOf(schema: Schema): ObjectPlace | undefined {
  known_places ??= new Map([...objectPlaces(), ...unionPlaces()].map((place) => [place.name, place]))
  const name = nameOfRef(schema)
  return name === undefined ? undefined : known_places.get(name)
}

const objectPlaces = (): ObjectPlace[] =>
  resources().flatMap(({ slug, objects }) =>
    [...objects.keys()].map((name) => ({ name, page: `reference/${slug}`, anchor: `object-${name}` })),
  )

const unionPlaces = (): ObjectPlace[] =>
  unions().map(({ name, slug }) => ({ name, page: `reference/${slug}`, anchor: 'variants' }))
