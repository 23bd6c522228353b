/** Every type of a value but null. */
const some_value = { type: ['string', 'number', 'boolean', 'object', 'array'] }

/** The condition, in JSON Schema, that all of these parameters are sent with a value. Only the API description reads it. */
export const requiring = (...names: readonly string[]) => ({
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, some_value])),
})

const without = (sent: string, absent: string) => ({
  required: [sent],
  properties: { [sent]: some_value, [absent]: { type: 'null' } },
})

/**
 * The condition, in JSON Schema, that exactly one of two parameters is sent with a value. Only the API description
 * reads it.
 */
export const exactlyOne = (one: string, other: string) => ({ oneOf: [without(one, other), without(other, one)] })
