import type { Value } from '../ports.ts'

/** An attribute in DynamoDB's own format. */
export type Attribute = Readonly<Record<string, unknown>>

/** The value of an attribute. It supports the types that items of the service contain. */
export function valueIn({ S, N, BOOL, L, M }: Attribute): Value {
  if (S !== undefined) return S as string
  if (N !== undefined) return Number(N)
  if (BOOL !== undefined) return BOOL as boolean
  if (L !== undefined) return (L as readonly Attribute[]).map(valueIn)
  return M === undefined ? null : valuesIn(M as Readonly<Record<string, Attribute>>)
}

/** The values of all attributes of an item. */
export const valuesIn = (attributes: Readonly<Record<string, Attribute>>): { readonly [name: string]: Value } =>
  Object.fromEntries(Object.entries(attributes).map(([name, attribute]) => [name, valueIn(attribute)]))
