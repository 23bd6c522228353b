/** A condition in JSON Schema. */
export type Condition = Readonly<Record<string, unknown>>

/** Every type of a value but null. */
const some_value = { type: ['string', 'number', 'boolean', 'object', 'array'] }

/** The condition that all of these parameters of an object are sent with a value. */
export const requiring = (...names: readonly string[]): Condition => ({
  type: 'object',
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, some_value])),
})

/** The condition that exactly one of two parameters is sent with a value. */
export const exactlyOne = (one: string, other: string): Condition => ({
  oneOf: [requiring(one), requiring(other)],
})

/** The condition that at least one of several conditions is met. */
export const anyOf = (...conditions: readonly Condition[]): Condition => ({ anyOf: conditions })

/**
 * The metadata of an object whose parameters depend on each other, for the API description. It has the conditions in
 * `allOf`, so that `anyOf` and `oneOf` of a schema are always alternatives with parameters of their own.
 */
export const meets = (...conditions: readonly Condition[]) => ({ allOf: conditions })
