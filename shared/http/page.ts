import middy from '@middy/core'
import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { Refusal } from '#shared/domain/errors.ts'
import type { Locale } from '#shared/domain/session.ts'
import type { Page } from '#shared/pages/page.ts'
import { platformOf } from '#shared/platform/of.ts'
import type { Platform } from '#shared/platform/ports.ts'
import type { PageRoute, Params } from '#shared/routes.ts'
import { type Change, refuseOversize } from '#shared/store/change.ts'
import { isId, merchantKey } from '#shared/store/keys.ts'
import type { Merchant } from '#shared/store/merchants.ts'
import { startingOver } from '#shared/store/start-over.ts'
import { Work } from '#shared/store/work.ts'
import { type Answer, fromUnknown, statusOf } from './answers.ts'
import { baseUrl, isFromOurPages } from './base-url.ts'
import { type ReadEvent, readBody } from './body.ts'
import { firewallRefusal, isFromListedAddress } from './firewall-verdict.ts'
import { header } from './header.ts'
import { localeOf, preferredLocale } from './locale.ts'
import { pageAnswer, problemAnswer, seeAnswer } from './page-answers.ts'
import { requestId } from './request-id.ts'
import { traceOf } from './trace.ts'

/** What the handler of a page is given. */
export interface PageInput<R extends PageRoute> {
  readonly params: Params<R>
  /** What was sent with POST, as it was sent: nothing of it is checked. */
  readonly form: Readonly<Record<string, unknown>>
  /** The language that the query asks for, if it is one that customers can be spoken to in. */
  readonly locale: Locale | undefined
  /** The one that the customer's browser prefers. */
  readonly preferred_locale: Locale
  readonly work: Work
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * What the handler of a page decides: what is to change, and the page that the customer sees, or where they see it: `see`
 * is an absolute URL that begins with `work.base_url`, since the stage may be part of the path.
 */
export type PageResult = { readonly changes?: readonly Change[] } & ({ readonly page: Page } | { readonly see: string })

/** What is a page's own. */
export interface PageSpec<R extends PageRoute> {
  /** Reads and decides; it commits nothing. It runs again when someone else was faster. What it refuses is shown as a page. */
  run(input: PageInput<R>): Promise<PageResult>
}

/** The Lambda handler of one page: what all of them share is here, and what is its own in `spec`. */
export function page<R extends PageRoute>(route: R, spec: PageSpec<R>) {
  // As for an endpoint: an answer of middy's own would say that nothing happened, while the request goes on.
  return middy<APIGatewayProxyEvent, Answer, Error, Called>({ timeoutEarlyInMillis: 0 })
    .use(answersErrors(route))
    .use(refusesMarkedOrForeign)
    .use(readBody as unknown as middy.MiddlewareObj<APIGatewayProxyEvent, Answer, Error, Called>)
    .handler((event, context) => performPage(spec, event as unknown as ReadEvent, context))
}

type Called = Context & { platform: Platform; began_at: number; work: Work }

const refusesMarkedOrForeign: middy.MiddlewareObj<APIGatewayProxyEvent, Answer, Error, Called> = {
  before({ event, context }) {
    context.platform = platformOf(context)
    context.began_at = context.platform.clock.now()
    const refusal = firewallRefusal(event)
    if (refusal) throw refusal
    if (event.httpMethod !== 'GET' && !isFromOurPages(event)) throw new Refusal('forbidden')
  },
}

async function performPage<R extends PageRoute>(spec: PageSpec<R>, event: ReadEvent, context: Called): Promise<Answer> {
  const { merchant, id } = (event.pathParameters ?? {}) as Params<PageRoute>
  if (!isId(merchant) || !isId(id)) throw new Refusal('not_found')
  const { platform } = context
  const [row] = await platform.table.get([merchantKey(merchant)])
  if (!row) throw new Refusal('not_found')
  const { mode } = row as unknown as Merchant
  const work = new Work({ platform, merchant, mode, base_url: baseUrl(event) })
  context.work = work
  return startingOver(work, () => tryOnce(spec, event, work))
}

async function tryOnce<R extends PageRoute>(spec: PageSpec<R>, event: ReadEvent, work: Work): Promise<Answer> {
  const { changes = [], ...shown } = await spec.run({
    params: event.pathParameters as Params<R>,
    form: event.httpMethod === 'GET' ? {} : event.body,
    locale: localeOf(queryOf(event).locale),
    preferred_locale: preferredLocale(header(event.headers, 'accept-language')),
    work,
    now: work.now(),
  })
  refuseOversize(changes)
  if ('see' in shown && !shown.see.startsWith(`${work.base_url}/`)) throw new Error('A page leads to no page of ours.')
  const request_id = requestId(event)
  const answer = 'see' in shown ? seeAnswer(shown.see, request_id) : await pageAnswer(shown.page, request_id)
  await work.commit(changes)
  return answer
}

/** Every error becomes a page here, and every request a line of the log. */
function answersErrors(route: PageRoute): middy.MiddlewareObj<APIGatewayProxyEvent, Answer, Error, Called> {
  const finish: middy.MiddlewareFn<APIGatewayProxyEvent, Answer, Error, Called> = async ({
    event,
    context,
    response,
    error,
  }) => {
    const answer = response ?? (await answerTo(error, event, context.work))
    const { platform, work, began_at } = context
    const failed = !response && statusOf[fromUnknown(error).code] >= 500
    platform?.log({
      level: failed || answer.statusCode >= 500 ? 'error' : 'info',
      event: 'request',
      request_id: requestId(event),
      route,
      merchant: work?.merchant,
      status: answer.statusCode,
      latency_ms: platform.clock.now() - began_at,
      ...(isFromListedAddress(event) && { listed_address: true }),
      ...((failed || answer.statusCode >= 500) && traceOf(error)),
    })
    return answer
  }
  return { after: finish, onError: finish } as never
}

/**
 * The page for an error. Once an operation is out at the acquirer its outcome is not known, whatever went wrong behind it:
 * then the customer is sent to the page itself, which says how things stand.
 */
async function answerTo(error: unknown, event: APIGatewayProxyEvent, work: Work | undefined): Promise<Answer> {
  const request_id = requestId(event)
  const { locale } = queryOf(event)
  if (work?.begun && event.httpMethod !== 'GET') return seeAnswer(formPage(event, work), request_id)
  const spoken = localeOf(locale) ?? preferredLocale(header(event.headers, 'accept-language'))
  return problemAnswer(fromUnknown(error), { locale: spoken, request_id })
}

/** The page that a form stands on: what its path has behind the id is what the customer chose there. */
function formPage(event: APIGatewayProxyEvent, work: Work): string {
  const locale = localeOf(queryOf(event).locale)
  const path = event.path.split('/').slice(0, 5).join('/')
  return work.base_url + path + (locale ? `?locale=${locale}` : '')
}

/** Of a name that came twice the last value counts. */
function queryOf({ multiValueQueryStringParameters }: Pick<APIGatewayProxyEvent, 'multiValueQueryStringParameters'>) {
  const parameters = Object.entries(multiValueQueryStringParameters ?? {})
  return Object.fromEntries(parameters.map(([name, values]) => [name, values?.at(-1)?.toWellFormed() ?? '']))
}
