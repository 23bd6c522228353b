/** Returns a name of the API as words: `secure_tokens` becomes `secure tokens`. */
export const words = (name: string): string => name.replaceAll('_', ' ')

/** Returns a text whose first letter is a capital. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the name of one resource: `deliveries` becomes `delivery`, and `payments` becomes `payment`. */
export const singular = (plural: string): string => plural.replace(/ies$/, 'y').replace(/s$/, '')
