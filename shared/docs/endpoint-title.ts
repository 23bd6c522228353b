import type { DescribedEndpoint } from './resources.ts'

/** The titles of endpoints whose path says too little. */
const titles: Readonly<Record<string, string>> = {
  'POST /payments/{id}/refund_request': 'Create a refund request',
  'POST /accounts/{id}/accept_service_agreement': 'Accept the service agreement',
  'POST /accounts/{id}/keys': 'Create an API key',
  'POST /accounts/{id}/keys/{key}/roll': 'Roll an API key',
  'DELETE /accounts/{id}/keys/{key}': 'Delete an API key',
  'POST /webhooks/{id}/rotate': 'Rotate the secret of a webhook',
  'POST /webhooks/{id}/recover': 'Recover failed deliveries',
  'POST /deliveries/{id}/redeliver': 'Repeat a delivery',
  'GET /files/{id}/content': 'Download a file',
  'POST /files': 'Upload a file',
  'GET /live_application': 'Retrieve the application',
  'POST /live_application/submit': 'Submit the application',
}

const verbs: Readonly<Record<string, string>> = { POST: 'Create', GET: 'Retrieve', PATCH: 'Update', DELETE: 'Delete' }

/** Returns the title of an endpoint: `List payments`, `Create a payment`, `Capture a payment`. */
export function endpointTitle({ method, path }: DescribedEndpoint): string {
  const known = titles[`${method} ${path}`]
  if (known) return known
  const [resource = '', ...rest] = path.split('/').slice(1)
  if (resource === 'live_application') return `${verbs[method]} the ${words(rest.at(-1) ?? resource)} record`
  const action = rest.at(-1)
  if (action !== undefined && !action.startsWith('{')) return `${capitalized(words(action))} ${one(resource)}`
  return method === 'GET' && action === undefined ? `List ${words(resource)}` : `${verbs[method]} ${one(resource)}`
}

const words = (name: string): string => name.replaceAll('_', ' ')

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `payments` becomes `a payment`. */
function one(resource: string): string {
  const singular = words(resource).replace(/ies$/, 'y').replace(/s$/, '')
  return `${/^[aeiou]/.test(singular) ? 'an' : 'a'} ${singular}`
}
