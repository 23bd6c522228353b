import type { Sample } from '../sample.ts'

/** A value of a request body. Text that begins with `$` is the name of an environment variable. */
type Value = string | number | boolean | readonly Value[] | { readonly [field: string]: Value }

/** The request of a sample, and what the sample prints. */
export interface SampleRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path below the base URL. A segment that begins with `$` is the name of an environment variable. */
  readonly path: string
  readonly body?: Readonly<Record<string, Value>>
  /** The environment variable of the API key. The default is `SECRET_KEY`. */
  readonly key?: string
  /** The environment variable of the Basic password. Absent: the password is empty. */
  readonly password?: string
  /** The variable of the TypeScript program that holds the response. */
  readonly result: string
  /** The expressions that the TypeScript program prints. */
  readonly prints: readonly string[]
}

/**
 * Writes a sample that sends one request, for the shell and in TypeScript. The body is a form in the shell and JSON in
 * TypeScript. The form encodes the values of variables, because secrets and URLs have characters that end a value of a
 * form. A POST and a PATCH carry an `Idempotency-Key`.
 */
export const requestSample = (request: SampleRequest): Sample => ({
  shell: shellOf(request),
  typescript: typescriptOf(request),
})

const has_idempotency_key = new Set(['POST', 'PATCH'])

function shellOf({ method, path, body = {}, key = 'SECRET_KEY', password }: SampleRequest): string {
  const fields = Object.entries(body).flatMap(([name, value]) => formFields(name, value))
  const is_implied = method === 'GET' || (method === 'POST' && fields.length > 0)
  const verb = is_implied ? '' : `-X ${method} `
  return [
    `curl ${verb}${shellWord(`{base_url}${path}`)} -u "$${key}:${password ? `$${password}` : ''}"`,
    ...(has_idempotency_key.has(method) ? [`-H "Idempotency-Key: $(openssl rand -hex 16)"`] : []),
    ...fields.map((field) => `${/[$+%&]/.test(field) ? '--data-urlencode' : '-d'} ${shellWord(field)}`),
  ].join(' \\\n  ')
}

function formFields(name: string, value: Value): string[] {
  if (Array.isArray(value)) {
    const is_plain = value.every((inner) => typeof inner !== 'object')
    return value.flatMap((inner, index) => formFields(`${name}[${is_plain ? '' : index}]`, inner))
  }
  if (typeof value !== 'object') return [`${name}=${value}`]
  return Object.entries(value).flatMap(([inner, field]) => formFields(`${name}[${inner}]`, field))
}

function shellWord(text: string): string {
  if (text.includes('$')) return `"${text}"`
  return /[^\w./:=@{}+-]/.test(text) ? `'${text}'` : text
}

function typescriptOf({ method, path, body, key = 'SECRET_KEY', password, result, prints }: SampleRequest): string {
  const url = path.includes('$')
    ? `\`{base_url}${path.replaceAll(/\$(\w+)/g, (_, name) => `\${process.env.${name}}`)}\``
    : `'{base_url}${path}'`
  const credentials = `\${process.env.${key}}:${password ? `\${process.env.${password}}` : ''}`
  return [
    `const response = await fetch(${url}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    `    Authorization: \`Basic \${btoa(\`${credentials}\`)}\`,`,
    ...(body ? [`    'Content-Type': 'application/json',`] : []),
    ...(has_idempotency_key.has(method) ? [`    'Idempotency-Key': crypto.randomUUID(),`] : []),
    '  },',
    ...(body ? [`  body: JSON.stringify(${typescriptValue(body, '  ')}),`] : []),
    '})',
    `const ${result} = await response.json()`,
    `if (!response.ok) throw new Error(${result}.error.message)`,
    `console.log(${prints.join(', ')})`,
  ].join('\n')
}

function typescriptValue(value: Value, indent: string): string {
  if (Array.isArray(value)) return `[${value.map((inner) => typescriptValue(inner, indent)).join(', ')}]`
  if (typeof value === 'object') {
    const inner = `${indent}  `
    const fields = Object.entries(value).map(([name, field]) => `${inner}${name}: ${typescriptValue(field, inner)},\n`)
    return `{\n${fields.join('')}${indent}}`
  }
  if (typeof value !== 'string') return String(value)
  return value.startsWith('$') ? `process.env.${value.slice(1)}` : `'${value}'`
}
