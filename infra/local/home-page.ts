import { Refusal } from '#shared/domain/errors.ts'
import type { Answer } from '#shared/http/answers.ts'
import { baseUrl } from '#shared/http/base-url.ts'
import { pageAnswer } from '#shared/http/page-answers.ts'
import { localRunPage } from '#shared/pages/local-run-page.ts'
import type { GatewayEvent } from './gateway-event.ts'
import type { OwnServer } from './own-server.ts'

/** Whether a browser requests the page of an address, and not data. */
export const acceptsPages = ({ headers }: Pick<GatewayEvent, 'headers'>): boolean =>
  (headers.accept ?? '').includes('text/html')

/** Whether a browser requests the home page of the local run. Other clients are led to the
 * documentation, as on AWS. */
export const asksForHomePage = (event: GatewayEvent): boolean =>
  event.httpMethod === 'GET' && event.path === '/' && acceptsPages(event)

/**
 * Returns the home page. It contains no secret, so a link of any other page may lead to it. Throws `not_found` for a
 * `Host` that does not name this machine, so that it works only where its button works.
 */
export async function homePage(event: GatewayEvent, server: OwnServer): Promise<Answer> {
  if (!server.isNamedBy(event.headers.host ?? '')) throw new Refusal('not_found')
  return pageAnswer(localRunPage(baseUrl(event)), event.requestContext.requestId)
}
