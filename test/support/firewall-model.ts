/** A request as the firewall sees it. */
export interface FirewallRequest {
  readonly path: string
  /** The header lines in the order in which they were sent, with lower-case names. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The full names of the labels that AWS's groups put on the request. */
  readonly labels?: readonly string[]
}

/** A rule as it stands in the template. */
export interface FirewallRule {
  readonly Name: string
  readonly Priority: number
  // biome-ignore lint/suspicious/noExplicitAny: actions and statements have every shape
  readonly Action?: any
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly OverrideAction?: any
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly Statement: any
}

/** The rate rules that count a request, each with the value that it counts the request under. */
export function countsOf(rules: readonly FirewallRule[], request: FirewallRequest): { rule: string; bucket: string }[] {
  return rules.flatMap(({ Name, Statement: { RateBasedStatement: rate } }) => {
    if (!rate || (rate.ScopeDownStatement && !matches(rate.ScopeDownStatement, request))) return []
    if (rate.AggregateKeyType === 'IP') return [{ rule: Name, bucket: 'the address' }]
    const values = rate.CustomKeys.map(({ Header }: Json) => {
      const value = visibleHeader(request, Header.Name)
      return value === undefined ? undefined : transformed(value, Header.TextTransformations)
    })
    // A request that lacks a component of the key is not counted.
    return values.includes(undefined) ? [] : [{ rule: Name, bucket: values.join('\n') }]
  })
}

/** The headers that the rules insert into a request that no rate rule blocks, by their full names. */
export function insertedHeaders(rules: readonly FirewallRule[], request: FirewallRequest): Record<string, string> {
  const inserting = rules.filter(({ Action, Statement }) => Action?.Count && matches(Statement, request))
  const headers = inserting.flatMap(({ Action }) => Action.Count.CustomRequestHandling?.InsertHeaders ?? [])
  return Object.fromEntries(headers.map(({ Name, Value }: Json) => [`x-amzn-waf-${Name}`, Value]))
}

// biome-ignore lint/suspicious/noExplicitAny: statements have every shape
type Json = any

function matches(statement: Json, request: FirewallRequest): boolean {
  const [[kind, body], ...more] = Object.entries<Json>(statement) as [[string, Json]]
  if (more.length > 0) throw new Error('A statement has one kind.')
  switch (kind) {
    case 'OrStatement':
      return body.Statements.some((each: Json) => matches(each, request))
    case 'NotStatement':
      return !matches(body.Statement, request)
    case 'LabelMatchStatement':
      if (body.Scope !== 'LABEL') throw new Error('The model knows whole labels only.')
      return (request.labels ?? []).includes(body.Key)
    case 'ByteMatchStatement':
    case 'RegexMatchStatement':
      return textOf(body.FieldToMatch, request).some((text) => matchesText(body, text))
    case 'SizeConstraintStatement':
      return isOversize(body, request) || textOf(body.FieldToMatch, request).some((text) => text.length > body.Size)
    default:
      throw new Error(`The model does not know ${kind}.`)
  }
}

function matchesText(body: Json, value: string): boolean {
  const text = transformed(value, body.TextTransformations)
  if (body.RegexString !== undefined) return new RegExp(body.RegexString).test(text)
  if (body.PositionalConstraint === 'CONTAINS') return text.includes(body.SearchString)
  if (body.PositionalConstraint === 'STARTS_WITH') return text.startsWith(body.SearchString)
  throw new Error(`The model does not know ${body.PositionalConstraint}.`)
}

function textOf(field: Json, request: FirewallRequest): string[] {
  if (field.UriPath) return [request.path]
  if (field.Headers) return visibleHeaders(request).map(([, value]) => value)
  return [visibleHeader(request, field.SingleHeader.Name) ?? []].flat()
}

/** Text after the transformations of AWS WAF that the rules use, as its developer guide describes them. */
export function transformed(text: string, transformations: Json[]): string {
  const inOrder = transformations.toSorted((a, b) => a.Priority - b.Priority)
  return inOrder.reduce((value, { Type }) => {
    if (Type === 'NONE') return value
    if (Type === 'LOWERCASE') return value.replace(/[A-Z]/g, (letter: string) => letter.toLowerCase())
    if (Type === 'COMPRESS_WHITE_SPACE') return value.replace(/[\f\t\n\r\v\u00a0]/g, ' ').replace(/ {2,}/g, ' ')
    throw new Error(`The model does not know ${Type}.`)
  }, text)
}

/** What AWS WAF can inspect of the headers. */
const HEADER_BYTES_MAX = 8192
const HEADERS_MAX = 200

function visibleHeaders({ headers }: FirewallRequest): FirewallRequest['headers'] {
  let bytes = 0
  return headers.slice(0, HEADERS_MAX).filter(([name, value]) => {
    bytes += Buffer.byteLength(name + value)
    return bytes <= HEADER_BYTES_MAX
  })
}

/** Of several headers of one name, the first. */
const visibleHeader = (request: FirewallRequest, name: string): string | undefined =>
  visibleHeaders(request).find(([sent]) => sent === name)?.[1]

const isOversize = ({ FieldToMatch }: Json, request: FirewallRequest): boolean =>
  FieldToMatch.Headers?.OversizeHandling === 'MATCH' && visibleHeaders(request).length < request.headers.length
