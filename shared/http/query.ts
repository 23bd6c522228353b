import { nest } from './form.ts'

/**
 * Parses the parameters of a query as API Gateway passes them: decoded, each with its list of values. The names are
 * nested as in a form.
 */
export function readQuery(parameters: Readonly<Record<string, string[] | undefined>> | null): Record<string, unknown> {
  return nest(Object.fromEntries(Object.entries(parameters ?? {}).map(([name, values = []]) => [name, values])))
}
