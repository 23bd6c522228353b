import { Refusal } from '#shared/domain/errors.ts'
import type { GatewayEvent } from './gateway-event.ts'
import type { OwnServer } from './own-server.ts'

/**
 * The values of `Sec-Fetch-Site` for requests that no page of another origin has caused. A request without the header,
 * which clients other than browsers send, is accepted.
 */
const OWN_SITES: readonly (string | undefined)[] = ['same-origin', 'none', undefined]

/**
 * Throws `forbidden` for a request to `/_local` whose `Host` does not name this machine, that a web page of another
 * origin may have caused, or that is a delivery of a webhook. The endpoints require no API key, so such a request could
 * otherwise advance a developer's clock or read new keys.
 */
export function refuseForeign({ headers }: Pick<GatewayEvent, 'headers'>, server: OwnServer): void {
  const { host = '', origin, 'sec-fetch-site': site, 'x-service-id': delivery } = headers
  if (!server.isNamedBy(host))
    throw forbidden(
      'Use an address of this machine for /_local, such as localhost, or set HOST to the name that you use.',
    )
  const is_same_origin = origin === undefined || origin === new URL(`http://${host}`).origin
  if (!is_same_origin || !OWN_SITES.includes(site))
    throw forbidden('Use a terminal or a script on this machine for /_local: no page of another origin may call it.')
  if (delivery !== undefined)
    throw forbidden('Give the webhook the address of your own server: no webhook may lead to /_local.')
}

const forbidden = (message: string) => new Refusal('forbidden', { message })
