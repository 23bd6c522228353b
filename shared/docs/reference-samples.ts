import { jsonText } from './json-text.ts'
import { singular } from './resource-names.ts'

/** A request as the samples of the reference show it. */
export interface RequestExample {
  readonly method: string
  /** The path behind the base URL, such as `/payments/{id}/refund`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  /** The body. Absent: the request has none. */
  readonly body?: unknown
  /** Whether the body is a form with files. The values of its fields are then the names of files. */
  readonly sends_files?: boolean
  /** Whether the response redirects to another address, which the sample shows. */
  readonly is_redirected?: boolean
  /** Whether the request moves money, so that the samples send an `Idempotency-Key`. */
  readonly moves_money?: boolean
  /** The key in the environment: `SECRET_KEY`, or `PUBLISHABLE_KEY` where a browser sends the request. */
  readonly key: 'SECRET_KEY' | 'PUBLISHABLE_KEY'
}

/** The languages of the samples of a request. */
export const request_languages = ['shell', 'typescript'] as const

export type RequestLanguage = (typeof request_languages)[number]

/**
 * Returns a program that sends a request. It takes keys and ids from environment variables: the id of a payment is
 * `PAYMENT`. The text `{base_url}` stands for the base URL of the API.
 */
export const referenceSample = (example: RequestExample, language: RequestLanguage): string =>
  language === 'shell' ? curl(example) : fetchCall(example)

/**
 * Returns the environment variable for each parameter of a path: the name of the resource before it, in the singular.
 */
export function variablesOf(path: string): Map<string, string> {
  const segments = path.split('/')
  return new Map(
    segments.flatMap((segment, at) => {
      const name = /^\{(.+)\}$/.exec(segment)?.[1]
      return name === undefined ? [] : [[name, singular(segments[at - 1] ?? name).toUpperCase()] as const]
    }),
  )
}

function curl({ method, path, query, body, sends_files, is_redirected, moves_money, key }: RequestExample): string {
  const filled = withVariables(path, (variable) => `$${variable}`) + queryOf(query)
  const url = /[?&]/.test(filled) ? `"{base_url}${filled}"` : `{base_url}${filled}`
  const implied = body === undefined ? 'GET' : 'POST'
  return [
    `curl ${is_redirected ? '-i ' : ''}${method === implied ? '' : `-X ${method} `}${url}`,
    `-u "$${key}:"`,
    ...(moves_money ? ['-H "Idempotency-Key: $IDEMPOTENCY_KEY"'] : []),
    ...(body === undefined ? [] : bodyArguments(body, sends_files)),
  ].join(' \\\n  ')
}

function bodyArguments(body: unknown, sends_files = false): string[] {
  if (sends_files) return Object.entries(body as object).map(([name, file]) => `-F ${shellText(`${name}=@${file}`)}`)
  const pairs = formPairs(body)
  if (pairs) return pairs.map(([name, value]) => `-d ${shellText(`${name}=${value}`)}`)
  return ["-H 'Content-Type: application/json'", `-d ${shellText(jsonText(body))}`]
}

/**
 * Returns the fields of a body as pairs of a form, or undefined where a form cannot state the body: a list, null, an
 * empty body, or a character that a form would have to encode.
 */
function formPairs(body: unknown): [string, string][] | undefined {
  const pairs = pairsOf(body, '')
  const is_plain = pairs?.every(([name, value]) => !/[&%+]/.test(name + value))
  return pairs && pairs.length > 0 && is_plain ? pairs : undefined
}

function pairsOf(value: unknown, name: string): [string, string][] | undefined {
  if (value === null || Array.isArray(value)) return undefined
  if (typeof value !== 'object') return [[name, String(value)]]
  const found = Object.entries(value).map(([key, inner]) => pairsOf(inner, name ? `${name}[${key}]` : key))
  return found.includes(undefined) ? undefined : found.flatMap((pairs) => pairs ?? [])
}

/** Quotes a text for a shell, if it needs quotes. */
const shellText = (text: string): string => (/^[\w=@./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

function fetchCall({
  method,
  path,
  query,
  body,
  sends_files,
  is_redirected,
  moves_money,
  key,
}: RequestExample): string {
  const url = withVariables(path, (variable) => `\${process.env.${variable}}`) + queryOf(query)
  const quote = url.includes('${') ? '`' : "'"
  const header = `Authorization: \`Basic \${btoa(\`\${process.env.${key}}:\`)}\``
  const headers = [
    header,
    ...(body === undefined || sends_files ? [] : ["'Content-Type': 'application/json'"]),
    ...(moves_money ? ["'Idempotency-Key': process.env.IDEMPOTENCY_KEY ?? crypto.randomUUID()"] : []),
  ]
  return [
    ...(sends_files ? formLines(body) : []),
    `const response = await fetch(${quote}{base_url}${url}${quote}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 1
      ? [`  headers: { ${header} },`]
      : ['  headers: {', ...headers.map((line) => `    ${line},`), '  },']),
    ...(body === undefined ? [] : [`  body: ${sends_files ? 'form' : jsonBody(body)},`]),
    ...(is_redirected ? ["  redirect: 'manual',"] : []),
    '})',
    `console.log(response.status, ${is_redirected ? "response.headers.get('Location')" : 'await response.json()'})`,
  ].join('\n')
}

const formLines = (body: unknown): string[] => [
  "import { readFile } from 'node:fs/promises'",
  '',
  'const form = new FormData()',
  ...Object.entries(body as object).map(
    ([name, file]) => `form.append('${name}', new Blob([await readFile('${file}')]), '${file}')`,
  ),
]

const jsonBody = (body: unknown): string => `JSON.stringify(${literal(body).replaceAll('\n', '\n  ')})`

/** Returns a value as a literal of TypeScript. */
const literal = (value: unknown): string =>
  jsonText(value)
    .replaceAll(/^(\s*)"([a-z_]\w*)":/gim, '$1$2:')
    .replaceAll(/"((?:[^"\\]|\\.)*)"/g, (text, inner) => (/['\\]/.test(inner) ? text : `'${inner}'`))
    .replaceAll(/([^[{,])\n(\s*[}\]])/g, '$1,\n$2')

const withVariables = (path: string, show: (variable: string) => string): string => {
  const variables = variablesOf(path)
  return path.replaceAll(/\{([^}]+)\}/g, (_, name) => show(variables.get(name) ?? name.toUpperCase()))
}

const queryOf = (query: RequestExample['query']): string => {
  const text = new URLSearchParams(
    Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return text === '' ? '' : `?${text}`
}
