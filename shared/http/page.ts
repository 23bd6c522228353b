import type { APIGatewayProxyEvent } from 'aws-lambda'
import { Refusal } from '#shared/domain/errors.ts'
import { localeOf } from '#shared/domain/locale.ts'
import {
  causeOf,
  keepingProgress,
  OperationInterrupted,
  type OperationProgress,
} from '#shared/domain/operation-progress.ts'
import { logoPath } from '#shared/domain/page-url.ts'
import type { Locale } from '#shared/domain/session.ts'
import type { HtmlPage, PageShop } from '#shared/pages/html-page.ts'
import { platformOf } from '#shared/platform/platform-of.ts'
import type { PageRoute, Params } from '#shared/routes.ts'
import { shopOf } from '#shared/store/account-of.ts'
import { type Change, refuseOversize } from '#shared/store/change.ts'
import { isId, merchantKey } from '#shared/store/keys.ts'
import { recordOf } from '#shared/store/kind.ts'
import { type Merchant, merchants } from '#shared/store/merchants.ts'
import type { OperationContext } from '#shared/store/operation-lease.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { type Answer, fromUnknown } from './answers.ts'
import { baseUrl, isEncrypted, isFromOurPages } from './base-url.ts'
import type { ReadEvent } from './body.ts'
import { firewallRefusal } from './firewall-verdict.ts'
import { header } from './header.ts'
import { preferredLocale } from './locale.ts'
import { fileAnswer, pageAnswer, problemAnswer, type SavedFile, seeAnswer } from './page-answers.ts'
import { requestId } from './request-id.ts'
import { type RequestContext, requestLifecycle } from './request-lifecycle.ts'

/** The input of a page's handler. */
export interface PageInput<R extends PageRoute> {
  readonly params: Params<R>
  /** The parameters of a POST, unchecked; empty for GET. */
  readonly form: Readonly<Record<string, unknown>>
  /** The parameters of the query, unchecked. */
  readonly query: Readonly<Record<string, string>>
  /** The language that the query requests; undefined if the pages do not support the language. */
  readonly locale: Locale | undefined
  /** The supported language that the customer's browser prefers. */
  readonly preferred_locale: Locale
  readonly work: UnitOfWork
  /** The progress that an operation at the acquirer continues from. */
  readonly operation: OperationContext
  /** Who is paid. */
  readonly shop: Promise<PageShop>
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * The page that the customer sees, a file that the browser saves, or the absolute URL of one of our pages. The URL
 * begins with `work.base_url`.
 */
type Shown = { readonly page: HtmlPage } | { readonly file: SavedFile } | { readonly see: string }

/**
 * The decision of a page's handler: the changes to commit, and what the customer sees. An operation adds its progress.
 */
export type PageResult = Shown & { readonly changes?: readonly Change[]; readonly progress?: OperationProgress }

/** The part of a page that its handler defines. */
export interface PageSpec<R extends PageRoute> {
  /**
   * Reads records and decides, but commits nothing. Runs again if a version check fails. Its refusals are shown as a
   * page.
   */
  run(input: PageInput<R>): Promise<PageResult>
}

/** The merchant of a page, once the merchant is found. */
interface MerchantOfPage {
  work: UnitOfWork
  record: Merchant
}

/** Builds the Lambda handler of one hosted page: it finds the merchant of the page and performs `spec`. */
export function page<R extends PageRoute>(route: R, spec: PageSpec<R>) {
  return requestLifecycle<MerchantOfPage>({
    route,
    platform: platformOf,
    admit(event) {
      const refusal = firewallRefusal(event)
      if (refusal) throw refusal
      if (event.httpMethod !== 'GET' && !isFromOurPages(event)) throw new Refusal('forbidden')
    },
    handle: (event, context) => performPage(spec, event, context),
    answerError: (error, event, context) => errorPage(error, event, context),
    merchantOf: ({ work }) => work?.merchant,
  })
}

async function performPage<R extends PageRoute>(
  spec: PageSpec<R>,
  event: ReadEvent,
  context: RequestContext<MerchantOfPage>,
): Promise<Answer> {
  const { merchant, id } = (event.pathParameters ?? {}) as Params<PageRoute>
  if (!isId(merchant) || !isId(id)) throw new Refusal('not_found')
  const { platform } = context
  const [row] = await platform.table.get([merchantKey(merchant)])
  if (!row) throw new Refusal('not_found')
  context.record = recordOf(merchants, row)
  context.work = new UnitOfWork({ platform, merchant, mode: context.record.mode, base_url: baseUrl(event) })
  await context.work.readTestClock()
  return retryOnConflict(context.work, (progress) => tryOnce(spec, event, context, progress))
}

async function tryOnce<R extends PageRoute>(
  spec: PageSpec<R>,
  event: ReadEvent,
  { work, record }: MerchantOfPage,
  from: OperationProgress,
): Promise<Answer> {
  // The reads of the shop and of the page share their calls to the table.
  const shop = pageShop(work, record)
  shop.catch(() => undefined)
  const input: PageInput<R> = {
    params: event.pathParameters as Params<R>,
    form: event.httpMethod === 'GET' ? {} : event.body,
    query: queryOf(event),
    locale: localeOf(queryOf(event).locale),
    preferred_locale: preferredLocale(header(event.headers, 'accept-language')),
    work,
    operation: { progress: from },
    shop,
    now: work.now(),
  }
  const { changes = [], progress = from, ...shown } = await keepingProgress(from, () => spec.run(input))
  return keepingProgress(progress, async () => {
    refuseOversize(changes)
    const answer = await render(shown, work, requestId(event), await shop)
    await work.commit(changes)
    return answer
  })
}

/** Returns who is paid on the pages of the merchant. */
async function pageShop(work: UnitOfWork, merchant: Merchant): Promise<PageShop> {
  const { logo, ...shop } = await shopOf(work, merchant)
  return { ...shop, logo_path: logo && logoPath(work, logo) }
}

function render(shown: Shown, { base_url }: UnitOfWork, request_id: string, shop: PageShop): Answer | Promise<Answer> {
  if ('page' in shown) return pageAnswer(shown.page, request_id, { shop, is_encrypted: base_url.startsWith('https:') })
  if ('file' in shown) return fileAnswer(shown.file, request_id)
  if (!shown.see.startsWith(`${base_url}/`)) throw new Error('A page leads to no page of ours.')
  return seeAnswer(shown.see, request_id)
}

/**
 * The response to an error. After an operation began, its outcome may be unknown: the customer is sent to the page that
 * contains the form, which shows the current state.
 */
async function errorPage(
  error: unknown,
  event: APIGatewayProxyEvent,
  { work, record }: Partial<MerchantOfPage>,
): Promise<Answer> {
  const request_id = requestId(event)
  const is_interrupted = error instanceof OperationInterrupted && event.httpMethod !== 'GET'
  if (work && is_interrupted) return seeAnswer(formPage(event, work), request_id)
  const locale = localeOf(queryOf(event).locale) ?? preferredLocale(header(event.headers, 'accept-language'))
  // The page of an error names no merchant if the table is what has failed.
  const shop = await (work && record && pageShop(work, record))?.catch(() => undefined)
  const is_encrypted = isEncrypted(event)
  const again_url = work && formPage(event, work)
  return problemAnswer(fromUnknown(causeOf(error)), {
    ...{ locale, request_id, is_encrypted },
    ...(again_url && { again_url }),
    ...(shop && { shop }),
  })
}

/**
 * Returns the URL of the page that contains the form. The path after the id names the action of the form, and is cut
 * off.
 */
function formPage(event: APIGatewayProxyEvent, work: UnitOfWork): string {
  const locale = localeOf(queryOf(event).locale)
  const path = event.path.split('/').slice(0, 5).join('/')
  return work.base_url + path + (locale ? `?locale=${locale}` : '')
}

/** Returns the parameters of the query. The last value of a repeated name wins. */
function queryOf({
  multiValueQueryStringParameters,
}: Pick<APIGatewayProxyEvent, 'multiValueQueryStringParameters'>): Record<string, string> {
  const parameters = Object.entries(multiValueQueryStringParameters ?? {})
  return Object.fromEntries(parameters.map(([name, values]) => [name, values?.at(-1)?.toWellFormed() ?? '']))
}
