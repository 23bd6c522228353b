import type { Content } from './route-requests.ts'

/** How a form can spell the elements of a list: `a[]`, `a[0]`, and `a[]` for lists of texts with `a[0]` for all others. */
export type Notation = 'empty' | 'numbered' | 'mixed'

export const notations: readonly Notation[] = ['empty', 'numbered', 'mixed']

/** Content as the names and values of a form. Null, and what is empty, cannot be said in a form and is left out. */
export function formPairs(content: Content, notation: Notation = 'numbered'): [string, string][] {
  return Object.entries(content).flatMap(([name, value]) => pairsOf(name, value, notation))
}

function pairsOf(name: string, value: unknown, notation: Notation): [string, string][] {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object') return [[name, String(value)]]
  if (Array.isArray(value)) {
    const holdsObjects = value.some((element) => typeof element === 'object' && element !== null)
    const numbered = notation === 'numbered' || (notation === 'mixed' && holdsObjects)
    return value.flatMap((element, index) => pairsOf(`${name}[${numbered ? index : ''}]`, element, notation))
  }
  return Object.entries(value).flatMap(([key, inner]) => pairsOf(`${name}[${key}]`, inner, notation))
}
