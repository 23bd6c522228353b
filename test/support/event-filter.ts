/** A filter pattern of Lambda: a field has a list of rules, of which one must hold, or fields of its own, which all must match. */
export type Pattern = { readonly [field: string]: Pattern | readonly Rule[] }

type Rule = string | { readonly prefix: string }

/** Whether Lambda hands a record over to a function whose event source has this filter. */
export function matches(pattern: Pattern, record: object): boolean {
  return Object.entries(pattern).every(([field, wanted]) => {
    const value: unknown = record[field as keyof typeof record]
    if (Array.isArray(wanted)) return wanted.some((rule: Rule) => holds(rule, value))
    return typeof value === 'object' && value !== null && matches(wanted as Pattern, value)
  })
}

function holds(rule: Rule, value: unknown): boolean {
  if (typeof rule === 'string') return value === rule
  const [[name, text] = [], ...others] = Object.entries(rule)
  if (name !== 'prefix' || text === undefined || others.length > 0)
    throw new Error(`a rule that is not known here: ${JSON.stringify(rule)}`)
  return typeof value === 'string' && value.startsWith(text)
}
