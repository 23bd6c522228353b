/**
 * The table of routes: every endpoint of the API reference, then the endpoints that the service adds. Paths are
 * relative to `/api/v1`. Each row names the file of its handler under `functions/`.
 */
export const routes = {
  'POST /tokens': 'tokens/create',

  'GET /customers': 'customers/list',
  'GET /customers/:id': 'customers/show',
  'POST /customers': 'customers/create',
  'PATCH /customers/:id': 'customers/update',
  'DELETE /customers/:id': 'customers/delete',

  'GET /payments': 'payments/list',
  'GET /payments/:id': 'payments/show',
  'POST /payments': 'payments/create',
  'PATCH /payments/:id': 'payments/update',
  'POST /payments/:id/capture': 'payments/capture',
  'POST /payments/:id/refund': 'payments/refund',
  'POST /payments/:id/refund_request': 'payments/refund-request',
  'POST /payments/:id/cancel': 'payments/cancel',

  'GET /sessions/:id': 'sessions/show',
  'POST /sessions': 'sessions/create',

  'POST /secure_tokens': 'secure-tokens/create',
  'GET /secure_tokens/:id': 'secure-tokens/show',

  'POST /subscriptions': 'subscriptions/create',
  'GET /subscriptions': 'subscriptions/list',
  'GET /subscriptions/:id': 'subscriptions/show',
  'DELETE /subscriptions/:id': 'subscriptions/delete',

  'POST /accounts': 'accounts/create',
  'GET /accounts/:id': 'accounts/show',
  'PATCH /accounts/:id': 'accounts/update',
  'POST /accounts/:id/accept_service_agreement': 'accounts/accept-service-agreement',

  'POST /files': 'files/create',
  'GET /files/:id': 'files/show',

  'GET /events': 'events/list',
  'GET /events/:id': 'events/show',

  'POST /live_application/site_information': 'live-application/site-information/create',
  'GET /live_application/site_information': 'live-application/site-information/show',
  'PATCH /live_application/site_information': 'live-application/site-information/update',
  'POST /live_application/company_information': 'live-application/company-information/create',
  'GET /live_application/company_information': 'live-application/company-information/show',
  'PATCH /live_application/company_information': 'live-application/company-information/update',
  'POST /live_application/personal_information': 'live-application/personal-information/create',
  'GET /live_application/personal_information': 'live-application/personal-information/show',
  'PATCH /live_application/personal_information': 'live-application/personal-information/update',
  'POST /live_application/bank_account_information': 'live-application/bank-account-information/create',
  'GET /live_application/bank_account_information': 'live-application/bank-account-information/show',
  'PATCH /live_application/bank_account_information': 'live-application/bank-account-information/update',
  'POST /live_application/payment_methods/credit_card': 'live-application/payment-methods/credit-card/create',
  'PATCH /live_application/payment_methods/credit_card': 'live-application/payment-methods/credit-card/update',
  'POST /live_application/payment_methods/convenience_store':
    'live-application/payment-methods/convenience-store/create',
  'PATCH /live_application/payment_methods/convenience_store':
    'live-application/payment-methods/convenience-store/update',
  'POST /live_application/payment_methods/chain_store': 'live-application/payment-methods/chain-store/create',
  'PATCH /live_application/payment_methods/chain_store': 'live-application/payment-methods/chain-store/update',
  'POST /live_application/payment_methods/wallet': 'live-application/payment-methods/wallet/create',
  'PATCH /live_application/payment_methods/wallet': 'live-application/payment-methods/wallet/update',

  'GET /live_application': 'live-application/show',
  'POST /live_application/submit': 'live-application/submit',

  'POST /sessions/:id/pay': 'sessions/pay',
  'POST /sessions/:id/cancel': 'sessions/cancel',
  'GET /payment_methods': 'payment-methods/list',

  'POST /accounts/:id/keys': 'accounts/keys/create',
  'POST /accounts/:id/keys/:key/roll': 'accounts/keys/roll',
  'DELETE /accounts/:id/keys/:key': 'accounts/keys/delete',

  'GET /files/:id/content': 'files/content',

  'GET /settlements': 'settlements/list',
  'GET /settlements/:id': 'settlements/show',

  'GET /webhooks': 'webhooks/list',
  'POST /webhooks': 'webhooks/create',
  'GET /webhooks/:id': 'webhooks/show',
  'PATCH /webhooks/:id': 'webhooks/update',
  'DELETE /webhooks/:id': 'webhooks/delete',
  'POST /webhooks/:id/ping': 'webhooks/ping',
  'POST /webhooks/:id/rotate': 'webhooks/rotate',
  'POST /webhooks/:id/recover': 'webhooks/recover',

  'GET /deliveries': 'deliveries/list',
  'GET /deliveries/:id': 'deliveries/show',
  'POST /deliveries/:id/redeliver': 'deliveries/redeliver',

  'POST /test_clock': 'test-clock/create',
} as const satisfies Record<`${Method} /${string}`, string>

/**
 * The pages that customers see. Their paths are absolute, without `/api/v1`. Access to a page requires only its id,
 * which cannot be guessed.
 */
export const pages = {
  'GET /pages/sessions/:merchant/:id': 'pages/sessions/show',
  'POST /pages/sessions/:merchant/:id': 'pages/sessions/pay',
  'POST /pages/sessions/:merchant/:id/cancel': 'pages/sessions/cancel',

  'GET /pages/off_site/:merchant/:id': 'pages/off-site/show',
  'POST /pages/off_site/:merchant/:id': 'pages/off-site/decide',

  'GET /pages/return/:merchant/:id': 'pages/return/show',

  'GET /pages/secure_tokens/:merchant/:id': 'pages/secure-tokens/show',
  'POST /pages/secure_tokens/:merchant/:id': 'pages/secure-tokens/decide',

  'GET /pages/instructions/:merchant/:id': 'pages/instructions/show',
  'POST /pages/instructions/:merchant/:id': 'pages/instructions/pay',
  'GET /pages/instructions/:merchant/:id/calendar': 'pages/instructions/calendar',
} as const satisfies Record<`${Method} /pages/${string}/:merchant/:id${string}`, string>

/**
 * The pictures that pages and shops show. Their paths are absolute, without `/api/v1`. They need no key, and caches may
 * keep them.
 */
export const pictures = {
  'GET /payment_methods/:file': 'pictures/payment-methods/show',
  'GET /logos/:account/:file': 'pictures/logos/show',
} as const satisfies Record<`GET /${string}`, string>

/**
 * The addresses for developers: the documentation and the API description. Their paths are absolute. They need no key,
 * and caches may keep them.
 */
export const documents = {
  'GET /': 'docs/show',
  'GET /docs': 'docs/show',
  'GET /docs/:section': 'docs/show',
  'GET /docs/:section/:page': 'docs/show',
  'GET /api/v1/openapi.json': 'docs/openapi',
} as const satisfies Record<`GET /${string}`, string>

/**
 * The endpoints for the notifications of payment service providers. Their paths are absolute. They need no key, because
 * notifications are signed.
 */
export const notifications = {
  'POST /notifications/stripe': 'notifications/stripe',
} as const satisfies Record<`POST /notifications/${string}`, string>

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** An endpoint, as its row in the table is written. A route that is not in the table does not compile. */
export type Route = keyof typeof routes

/** A page, as its row in the table is written. */
export type PageRoute = keyof typeof pages

/** A picture, as its row in the table is written. */
export type PictureRoute = keyof typeof pictures

/** An address of the documentation, as its row in the table is written. */
export type DocumentRoute = keyof typeof documents

/** An endpoint for notifications, as its row in the table is written. */
export type NotificationRoute = keyof typeof notifications

/** A row of any of the tables. */
export type ServedRoute = Route | PageRoute | PictureRoute | DocumentRoute | NotificationRoute

/** The values of the parameters in a route's path, by name: `{ id }` for `GET /payments/:id`. */
export type Params<R extends string> = {
  readonly [Name in ParamNames<R>]: string
}
type ParamNames<R extends string> = R extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : R extends `${string}:${infer Name}`
    ? Name
    : never

/** The endpoints that a browser may call, with a publishable key and from another origin. */
export const publishable: ReadonlySet<ServedRoute> = new Set<Route>([
  'POST /tokens',
  'POST /secure_tokens',
  'GET /secure_tokens/:id',
  'GET /sessions/:id',
  'POST /sessions/:id/pay',
  'GET /payment_methods',
])

/** The endpoints that exist in test mode only. To a live key, their paths are unknown. */
export const test_only: ReadonlySet<ServedRoute> = new Set<Route>(['POST /test_clock'])

/** The short paths of the onboarding records: `/site_information` is short for `/live_application/site_information`. */
export function shortPaths(): ReadonlyMap<string, Route> {
  const long = (Object.keys(routes) as Route[]).filter((route) =>
    /^(POST|GET|PATCH) \/live_application\/(?!submit)/.test(route),
  )
  return new Map(long.map((route) => [route.replace('/live_application', ''), route]))
}

/** The prefix of every path of the API. */
export const BASE_PATH = '/api/v1'

/** The path of the documentation. */
export const DOCS_PATH = '/docs'

/** Returns the path, behind the stage, of the reference of an error code. */
export const errorPage = (code: string): string => `${DOCS_PATH}/errors#${code}`

/** The prefix of the path of every page. */
export const PAGES_PATH = '/pages'

/**
 * Returns the operation id of a row, which the API description and the gateway share: `payments-create`. If several
 * rows share a file, the ids of all but the first also contain the path.
 */
export function operationId({ file, path }: Pick<Row, 'file' | 'path'>): string {
  const is_first = servedRows().find((row) => row.file === file)?.path === path
  return (is_first ? file : file + path.replaceAll(':', '')).replaceAll('/', '-')
}

/** Returns a path with its parameters in braces, as OpenAPI writes them: `/payments/:id` becomes `/payments/{id}`. */
export const bracedPath = (path: string): string => path.replaceAll(/:([a-z_]+)/g, '{$1}')

/** A row of a table, with its method, path and file. */
export interface Row<R extends ServedRoute = ServedRoute> {
  readonly route: R
  readonly method: Method
  readonly path: string
  readonly file: string
}

/** The endpoints of the API, each with its method, path and file. */
export const servedRoutes = (): Row<Route>[] => rowsOf(routes)

/** The pages, each with its method, path and file. */
export const servedPages = (): Row<PageRoute>[] => rowsOf(pages)

/** The pictures, each with its method, path and file. */
export const servedPictures = (): Row<PictureRoute>[] => rowsOf(pictures)

/** The addresses of the documentation, each with its method, path and file. */
export const servedDocuments = (): Row<DocumentRoute>[] => rowsOf(documents)

/** The endpoints for notifications, each with its method, path and file. */
export const servedNotifications = (): Row<NotificationRoute>[] => rowsOf(notifications)

/** The rows whose path is absolute: those of all tables but the one of the API. */
export const servedAbsolute = (): Row<Exclude<ServedRoute, Route>>[] => [
  ...servedPages(),
  ...servedPictures(),
  ...servedDocuments(),
  ...servedNotifications(),
]

/** Everything that is served: the rows of all tables. The paths of endpoints are relative to `/api/v1`. */
export const servedRows = (): Row[] => [...servedRoutes(), ...servedAbsolute()]

/** The files of all rows, each once: several rows can share a function. */
export const servedFiles = (): string[] => [...new Set(servedRows().map(({ file }) => file))]

function rowsOf<R extends ServedRoute>(table: Readonly<Record<R, string>>): Row<R>[] {
  return (Object.entries(table) as [R, string][]).map(([route, file]) => {
    const [method, path] = route.split(' ') as [Method, string]
    return { route, method, path, file }
  })
}
