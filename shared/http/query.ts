import { nest } from './form.ts'

/** The parameters of a query as API Gateway hands them over, decoded and each with its values, nested as in a form. */
export function readQuery(parameters: Readonly<Record<string, string[] | undefined>> | null): Record<string, unknown> {
  return nest(Object.fromEntries(Object.entries(parameters ?? {}).map(([name, values = []]) => [name, values])))
}
