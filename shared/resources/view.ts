import type * as v from 'valibot'

/** A function that shows stored records as a resource, with the schema of the resource that a merchant sees. */
export type View<Stored extends readonly unknown[], Schema extends v.GenericSchema> = ((
  ...stored: Stored
) => v.InferOutput<Schema>) & { readonly schema: Schema }

/**
 * Binds a view to the schema of the resource that it shows. The API description and the tests read the schema. No
 * request is checked against it.
 */
export function viewOf<Stored extends readonly unknown[], Schema extends v.GenericSchema>(
  schema: Schema,
  show: (...stored: Stored) => v.InferOutput<Schema>,
): View<Stored, Schema> {
  return Object.assign((...stored: Stored) => show(...stored), { schema })
}
