import { describe, expect, test } from 'vitest'
import {
  type Route,
  routes,
  servedDocuments,
  servedFiles,
  servedNotifications,
  servedPages,
  servedPictures,
  servedRoutes,
} from '#shared/routes.ts'
import { sourceFiles, textOf } from './source-files.ts'

describe('the route table', () => {
  const tests = sourceFiles('test/functions')

  test.each(servedRoutes())(
    '$route has a handler file with the expected name, and a test at the same path',
    ({ route, file }) => {
      expect(fileNames(route, Object.keys(routes))).toContain(file)
      expect(textOf(`functions/${file}.ts`)).toMatch(handlerOf(route))
      expect(tests, 'tests of handlers').toContain(`test/functions/${file}.test.ts`)
    },
  )

  test.each(servedPages())(
    '$route has a handler file with the expected name, and a test at the same path',
    ({ route, file }) => {
      expect(file).toMatch(pageFile(route))
      expect(textOf(`functions/${file}.ts`)).toMatch(handlerOf(route, 'page'))
      expect(tests, 'tests of handlers').toContain(`test/functions/${file}.test.ts`)
    },
  )

  test.each(servedPictures())(
    '$route has a handler file with the expected name, and a test at the same path',
    ({ route, path, file }) => {
      expect(file).toBe(`pictures/${path.split('/')[1]!.replaceAll('_', '-')}/show`)
      expect(textOf(`functions/${file}.ts`)).toMatch(handlerOf(route, 'picture'))
      expect(tests, 'tests of handlers').toContain(`test/functions/${file}.test.ts`)
    },
  )

  test.each(servedDocuments())('$route has a handler file in docs/, and a test at the same path', ({ file }) => {
    const rows = servedDocuments().filter((row) => row.file === file)
    expect(file).toMatch(/^docs\/[a-z]+$/)
    expect(rows.some(({ route }) => handlerOf(route, 'document').test(textOf(`functions/${file}.ts`)))).toBe(true)
    expect(tests, 'tests of handlers').toContain(`test/functions/${file}.test.ts`)
  })

  test.each(servedNotifications())(
    '$route has a handler file with the expected name, and a test at the same path',
    ({ route, path, file }) => {
      expect(file).toBe(path.slice(1))
      expect(textOf(`functions/${file}.ts`)).toMatch(handlerOf(route, 'notification'))
      expect(tests, 'tests of handlers').toContain(`test/functions/${file}.test.ts`)
    },
  )

  test('names every file in functions/', () => {
    const files = sourceFiles('functions').filter((file) => !file.startsWith('functions/background/'))
    const named = servedFiles().map((file) => `functions/${file}.ts`)
    expect(files).toEqual(named.sort())
  })
})

describe('the rule of file names', () => {
  const table = [
    'GET /payments',
    'GET /payments/:id',
    'POST /payments',
    'PATCH /payments/:id',
    'DELETE /payments/:id',
    'POST /payments/:id/refund_request',
    'GET /files/:id/content',
    'POST /accounts/:id/keys',
    'DELETE /accounts/:id/keys/:key',
    'POST /accounts/:id/keys/:key/roll',
    'GET /live_application',
    'POST /live_application/submit',
    'GET /live_application/site_information',
    'POST /live_application/site_information',
  ]
  test.each([
    ['GET /payments', ['payments/list']],
    ['GET /payments/:id', ['payments/show']],
    ['POST /payments', ['payments/create']],
    ['PATCH /payments/:id', ['payments/update']],
    ['DELETE /payments/:id', ['payments/delete']],
    ['POST /payments/:id/refund_request', ['payments/refund-request']],
    ['GET /files/:id/content', ['files/content']],
    ['POST /accounts/:id/keys', ['accounts/keys/create']],
    ['DELETE /accounts/:id/keys/:key', ['accounts/keys/delete']],
    ['POST /accounts/:id/keys/:key/roll', ['accounts/keys/roll']],
    ['GET /live_application', ['live-application/list', 'live-application/show']],
    ['POST /live_application/submit', ['live-application/submit']],
    [
      'GET /live_application/site_information',
      ['live-application/site-information/list', 'live-application/site-information/show'],
    ],
    ['POST /live_application/site_information', ['live-application/site-information/create']],
  ])('gives %s the file %s', (route, files) => {
    expect(fileNames(route, table)).toEqual(files)
  })

  test.each([
    ['GET /pages/off_site/:merchant/:id', 'pages/off-site/show', 'pages/off_site/show'],
    ['GET /pages/off_site/:merchant/:id', 'pages/off-site/show', 'pages/off-site/decide'],
    ['POST /pages/off_site/:merchant/:id', 'pages/off-site/decide', 'pages/sessions/decide'],
    ['POST /pages/sessions/:merchant/:id/cancel', 'pages/sessions/cancel', 'pages/sessions/pay'],
  ])('gives the page %s a name such as %s, but not %s', (route, file, other) => {
    expect(file).toMatch(pageFile(route))
    expect(other).not.toMatch(pageFile(route))
  })

  test('recognizes the handler of a row by the route that it states', () => {
    expect("export const handler = page('GET /pages/a/:merchant/:id', {").toMatch(
      handlerOf('GET /pages/a/:merchant/:id', 'page'),
    )
    expect("export const handler = endpoint('GET /a', {").not.toMatch(handlerOf('GET /a', 'page'))
    expect("export const handler = endpoint('GET /payments/:id', {").toMatch(handlerOf('GET /payments/:id'))
    expect("export const handler = endpoint('GET /payments/:id', {").not.toMatch(handlerOf('GET /payments'))
    expect("export const handler = endpoint('GET /paymentsXid', {").not.toMatch(handlerOf('GET /payments.id' as Route))
  })
})

/**
 * The possible files of a row: the segments of its path as folders, then the verb. If the path is an action without
 * other rows beside or below it, the file is named after its last segment.
 */
function fileNames(route: string, table: readonly string[]): string[] {
  const [method, path] = route.split(' ') as [string, string]
  const fixed = path
    .slice(1)
    .split('/')
    .filter((segment) => !segment.startsWith(':'))
  const folder = fixed.join('/').replaceAll('_', '-')
  const paths = table.map((row) => row.slice(row.indexOf('/')))
  const alone = paths.filter((other) => other === path || other.startsWith(`${path}/`)).length === 1
  const ofOne = /\/:[^/]+$/.test(path)
  if (alone && !ofOne && fixed.length > 1) return [folder]
  const isCollection = paths.some((other) => other.startsWith(`${path}/:`))
  const shows = ofOne ? ['show'] : isCollection ? ['list'] : ['list', 'show']
  const verbs: Record<string, string[]> = { GET: shows, POST: ['create'], PATCH: ['update'], DELETE: ['delete'] }
  return verbs[method]!.map((verb) => `${folder}/${verb}`)
}

/** The possible files of a page: its kind, then `show`, the last segment, or a verb for its form. */
function pageFile(route: string): RegExp {
  const [, method, kind, action] = /^([A-Z]+) \/pages\/([a-z_]+)\/:merchant\/:id(?:\/([a-z_]+))?$/.exec(route)!
  const word = action ?? (method === 'GET' ? 'show' : '[a-z]+')
  return new RegExp(`^pages/${kind}/${word}$`.replaceAll('_', '-'))
}

type Maker = 'endpoint' | 'page' | 'picture' | 'document' | 'notification'

const handlerOf = (route: string, maker: Maker = 'endpoint'): RegExp =>
  new RegExp(`^export const handler = ${maker}\\(\\s*'${RegExp.escape(route)}',`, 'm')
