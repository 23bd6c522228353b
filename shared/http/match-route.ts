import { Refusal } from '#shared/domain/errors.ts'
import {
  BASE_PATH,
  type Method,
  PAGES_PATH,
  type Route,
  type Row,
  type ServedRoute,
  servedAbsolute,
  servedRoutes,
  shortPaths,
} from '#shared/routes.ts'

/** The row that serves a request, with its file and the decoded parameters of its path. */
export interface Match {
  readonly route: ServedRoute
  readonly file: string
  readonly params: Readonly<Record<string, string>>
}

/** A path that is served for other methods only. `allow` lists these methods in the order of the table. */
export interface Mismatch {
  readonly allow: readonly Method[]
}

interface Pattern {
  readonly segments: readonly string[]
  readonly rows: Map<string, Row>
}

const matchRow = routeMatcher(servedRoutes(), shortPaths())
const matchAbsolute = routeMatcher(servedAbsolute(), new Map(), '')

/**
 * Finds the endpoint for a path that begins with `/api/v1`, or the page, picture, document or notification endpoint for any path. Returns a
 * `Mismatch` if the path is served for other methods only, and undefined if the path is not served. `HEAD` is served by
 * the row of `GET`. Never throws.
 */
export const matchRoute = (method: string, path: string): Match | Mismatch | undefined =>
  matchRow(method, path) ?? matchAbsolute(method, path)

/**
 * Reports whether a path is in the area of the hosted pages, where customers get every response, errors included, as a
 * page in their language.
 */
export const isPagePath = (path: string): boolean => path === PAGES_PATH || path.startsWith(`${PAGES_PATH}/`)

/** Returns the refusal of a path that is not served. The message names the prefix of all paths of the API. */
export const unknownPath = (): Refusal =>
  new Refusal('not_found', {
    message: `There is no such endpoint. The paths of the API begin with ${BASE_PATH}, such as ${BASE_PATH}/payments.`,
  })

/** Builds a `matchRoute` for the given rows behind `base`, and for their short paths, such as `/site_information`. */
export function routeMatcher(
  served: readonly Row[],
  shorts: ReadonlyMap<string, Route>,
  base: string = BASE_PATH,
): (method: string, path: string) => Match | Mismatch | undefined {
  const patterns = patternsOf([...served, ...shortRows(served, shorts)])
  return (method, path) => {
    if (!path.startsWith(`${base}/`)) return undefined
    const segments = segmentsOf(path.slice(base.length)).map(decoded)
    const pattern = patterns.get(segments.length)?.find((candidate) => fits(candidate, segments))
    if (!pattern) return undefined
    const row = pattern.rows.get(method === 'HEAD' ? 'GET' : method)
    if (!row) return { allow: [...pattern.rows.keys()] as Method[] }
    return { route: row.route, file: row.file, params: paramsOf(pattern, segments) }
  }
}

/** Returns the segments of a path. A slash at the end adds none, so `/` has no segments. */
function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/').slice(1)
}

function shortRows(served: readonly Row[], shorts: ReadonlyMap<string, Route>): Row[] {
  return Array.from(shorts).flatMap(([short, route]) =>
    served.filter((row) => row.route === route).map((row) => ({ ...row, path: short.slice(short.indexOf('/')) })),
  )
}

/** Groups the patterns by their number of segments, literal segments before parameters. */
function patternsOf(rows: readonly Row[]): Map<number, Pattern[]> {
  const byPath = new Map<string, Pattern>()
  for (const row of rows) {
    const pattern = byPath.get(row.path) ?? { segments: segmentsOf(row.path), rows: new Map() }
    pattern.rows.set(row.method, row)
    byPath.set(row.path, pattern)
  }
  // Shapes are compared as numbers. A comparison of texts by locale would load ICU into every function.
  const shape = ({ segments }: Pattern) => Number(segments.map((segment) => (isParam(segment) ? 1 : 0)).join(''))
  const literalFirst = [...byPath.values()].sort((a, b) => shape(a) - shape(b))
  return Map.groupBy(literalFirst, (pattern) => pattern.segments.length)
}

function fits(pattern: Pattern, segments: readonly string[]): boolean {
  return pattern.segments.every((segment, at) => (isParam(segment) ? segments[at] !== '' : segment === segments[at]))
}

function paramsOf(pattern: Pattern, segments: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pattern.segments.flatMap((segment, at) => (isParam(segment) ? [[segment.slice(1), segments[at] ?? '']] : [])),
  )
}

function isParam(segment: string): boolean {
  return segment.startsWith(':')
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
