import { unescape as decode, escape as encode } from 'node:querystring'
import { Refusal } from '#shared/domain/errors.ts'

/** The most `name=value` pairs in a form or a query. */
export const MAX_PAIRS = 1_000

/** The most levels of one name: `a[b][c]` has three. */
export const MAX_LEVELS = 16

/** The latest element of a list that is written with empty brackets, and its sub-keys so far. */
interface Element {
  readonly index: number
  readonly isText: boolean
  readonly keys: Set<string>
}

/**
 * Returns the text of a form with every empty bracket numbered: `a[][b]=1&a[][b]=2` becomes `a[0][b]=1&a[1][b]=2`,
 * percent-encoded. A repeated sub-key begins a new element. Refuses more than 1,000 pairs or 16 levels with
 * `bad_request`.
 */
export function numberEmptyBrackets(raw: string): string {
  const pairs = raw
    .toWellFormed()
    .split('&')
    .filter((pair) => pair !== '')
  if (pairs.length > MAX_PAIRS) throw tooMany()
  const lists = new Map<string, Element>()
  return pairs
    .map((pair) => {
      const equals = pair.indexOf('=')
      const name = equals < 0 ? pair : pair.slice(0, equals)
      return encode(numbered(decode(name.replaceAll('+', ' ')), lists)) + pair.slice(name.length)
    })
    .join('&')
}

function numbered(name: string, lists: Map<string, Element>): string {
  const segments = segmentsOf(name)
  for (let level = 1; level < segments.length; level++) {
    if (segments[level] !== '') continue
    const list = spelt(segments.slice(0, level))
    const element = elementFor(segments.slice(level + 1), lists.get(list))
    lists.set(list, element)
    segments[level] = String(element.index)
  }
  return spelt(segments)
}

/**
 * Returns the element that the sub-key `rest` belongs to. A new element begins if the `latest` element is plain text or
 * already has the sub-key.
 */
function elementFor(rest: readonly string[], latest: Element | undefined): Element {
  const isText = rest.length === 0
  const begins = !latest || latest.isText || isText || (!rest.includes('') && latest.keys.has(spelt(rest)))
  const element = begins ? { index: latest ? latest.index + 1 : 0, isText, keys: new Set<string>() } : latest
  for (let end = 1; end <= rest.length; end++) element.keys.add(spelt(rest.slice(0, end)))
  return element
}

/**
 * Turns the flat names of a form into objects and lists: `a[b]`, `a[0][b]`, and `a[]` with a list of values. Keys that
 * are exactly 0 to n make a list, and other numbers are keys of an object. The last value of a repeated name wins.
 * Refuses a name that is both text and object, `__proto__`, more than 1,000 values and more than 16 levels with
 * `bad_request`.
 */
export function nest(flat: Readonly<Record<string, string | readonly string[]>>): Record<string, unknown> {
  const root: Tree = new Map()
  let pairs = 0
  for (const [name, value] of Object.entries(flat)) {
    const values = typeof value === 'string' ? [value] : value
    pairs += values.length
    if (pairs > MAX_PAIRS) throw tooMany()
    const segments = segmentsOf(name)
    for (const [position, text] of values.entries()) {
      place(
        root,
        segments.map((segment, level) => (segment === '' && level > 0 ? String(position) : segment)),
        text,
      )
    }
  }
  return objectOf(root)
}

type Tree = Map<string, Tree | string>

function place(root: Tree, segments: readonly string[], text: string): void {
  let tree = root
  for (const [level, segment] of segments.entries()) {
    const there = tree.get(segment)
    const isLeaf = level === segments.length - 1
    if (segment === '__proto__' || (there !== undefined && isLeaf !== (typeof there === 'string'))) {
      throw new Refusal('bad_request', {
        param: spelt(segments.slice(0, level + 1)),
        message: 'A parameter cannot be both a text and an object, nor be named __proto__. Send it once.',
      })
    }
    if (isLeaf) {
      tree.set(segment, text)
    } else {
      const branch: Tree = there instanceof Map ? there : new Map()
      tree.set(segment, branch)
      tree = branch
    }
  }
}

function objectOf(tree: Tree): Record<string, unknown> {
  return Object.fromEntries(Array.from(tree, ([key, value]) => [key, plain(value)]))
}

function plain(value: Tree | string): unknown {
  if (typeof value === 'string') return value
  const inOrder = Array.from({ length: value.size }, (_, index) => value.get(String(index)))
  return inOrder.every((element) => element !== undefined) ? inOrder.map(plain) : objectOf(value)
}

/** Splits `a[b][]` into `['a', 'b', '']`. A name with unpaired brackets is one segment, unchanged. */
function segmentsOf(name: string): string[] {
  const [first = '', ...inner] = name.split('[', MAX_LEVELS + 1)
  if (inner.length === MAX_LEVELS) {
    throw new Refusal('bad_request', { message: `Parameters may be nested ${MAX_LEVELS} levels deep at most.` })
  }
  const paired =
    first !== '' && inner.every((segment) => segment.endsWith(']') && segment.indexOf(']') === segment.length - 1)
  return paired ? [first, ...inner.map((segment) => segment.slice(0, -1))] : [name]
}

function spelt([first = '', ...inner]: readonly string[]): string {
  return first + inner.map((segment) => `[${segment}]`).join('')
}

function tooMany(): Refusal {
  return new Refusal('bad_request', { message: `A request may carry ${MAX_PAIRS} parameters at most.` })
}
