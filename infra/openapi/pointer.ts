/**
 * Returns the part of a document that a reference leads to: the payment schema for `#/components/schemas/Payment`. An
 * unknown part is an empty object.
 */
export const partAt = (document: object, reference: string): object =>
  reference
    .split('/')
    .slice(1)
    .reduce((part, name) => (part as Readonly<Record<string, object>>)[name] ?? {}, document)
