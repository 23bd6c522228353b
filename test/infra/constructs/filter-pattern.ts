type Line = Readonly<Record<string, unknown>>

/**
 * Whether CloudWatch finds a log line by a filter pattern. Supports one term in quotes, and comparisons of fields that
 * must all hold. Throws for any other pattern.
 */
export function finds(pattern: string, line: string): boolean {
  const term = pattern.match(/^"([\w-]+)"$/)?.[1]
  if (term !== undefined) return line.includes(term)
  const comparisons = pattern.match(/^\{ (.*) \}$/)?.[1]?.split(' && ')
  if (!comparisons) throw new Error(`unsupported filter pattern: ${pattern}`)
  const fields: Line = JSON.parse(line)
  return comparisons.every((comparison) => holds(comparison.replace(/^\((.*)\)$/, '$1'), fields))
}

function holds(comparison: string, line: Line): boolean {
  const [, field, operator, wanted] = comparison.match(/^\$\.(\w+) (=|>=) ("[\w*-]+"|\d+)$/) ?? []
  const value = line[field!]
  if (operator === '>=') return typeof value === 'number' && value >= Number(wanted)
  if (operator !== '=' || !wanted!.startsWith('"')) throw new Error(`unsupported comparison: ${comparison}`)
  return typeof value === 'string' && (wanted === '"*"' || `"${value}"` === wanted)
}

/** The fields that a pattern names. */
export const fieldsIn = (pattern: string): string[] => Array.from(pattern.matchAll(/\$\.(\w+)/g), ([, field]) => field!)
