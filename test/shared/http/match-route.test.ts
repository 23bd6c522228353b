import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPagePath, matchRoute, routeMatcher } from '#shared/http/match-route.ts'
import {
  type Method,
  type Route,
  servedDocuments,
  servedNotifications,
  servedPages,
  servedPictures,
  servedRoutes,
  shortPaths,
} from '#shared/routes.ts'

describe('matchRoute', () => {
  test.each(servedRoutes())('finds $route', ({ route, method, path, file }) => {
    const params = Object.fromEntries(Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => [name, `a_${name}`]))
    const filled = `/api/v1${path.replaceAll(/:(\w+)/g, 'a_$1')}`
    expect(matchRoute(method, filled)).toEqual({ route, file, params })
    expect(matchRoute(method, `${filled}/`)).toEqual({ route, file, params })
  })

  test.each(servedPages())('finds $route', ({ route, method, path, file }) => {
    const params = { merchant: 'mer_1', id: 'pay_1' }
    const filled = path.replace(':merchant', 'mer_1').replace(':id', 'pay_1')
    expect(matchRoute(method, filled)).toEqual({ route, file, params })
    expect(matchRoute(method, `/api/v1${filled}`)).toBeUndefined()
  })

  test.each(servedPictures())('finds $route', ({ route, path, file }) => {
    const filled = path.replace(':account', 'acc_1').replace(':file', 'konbini.svg')
    const params = { ...(path.includes(':account') && { account: 'acc_1' }), file: 'konbini.svg' }
    expect(matchRoute('GET', filled)).toEqual({ route, file, params })
    expect(matchRoute('POST', filled)).toEqual({ allow: ['GET'] })
    expect(matchRoute('GET', `/api/v1${filled}`)).toBeUndefined()
  })

  test.each(servedDocuments())('finds $route', ({ route, path, file }) => {
    const params = Object.fromEntries(Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => [name, `a_${name}`]))
    const filled = path.replaceAll(/:(\w+)/g, 'a_$1')
    expect(matchRoute('GET', filled)).toEqual({ route, file, params })
    expect(matchRoute('HEAD', filled.replace(/\/?$/, '/'))).toEqual({ route, file, params })
    expect(matchRoute('POST', filled)).toEqual({ allow: ['GET'] })
  })

  test.each(servedNotifications())('finds $route', ({ route, path, file }) => {
    expect(matchRoute('POST', path)).toEqual({ route, file, params: {} })
    expect(matchRoute('GET', path)).toEqual({ allow: ['POST'] })
    expect(matchRoute('POST', `/api/v1${path}`)).toBeUndefined()
  })

  test('returns the methods that a page allows', () => {
    for (const method of ['PUT', 'OPTIONS', '__proto__']) {
      expect(matchRoute(method, '/pages/sessions/mer_1/ses_1')).toEqual({ allow: ['GET', 'POST'] })
      expect(matchRoute(method, '/pages/sessions/mer_1/ses_1/cancel')).toEqual({ allow: ['POST'] })
    }
  })

  test('finds the row of GET for HEAD', () => {
    for (const path of ['/api/v1/payments', '/api/v1/payments/pay_1', '/pages/sessions/mer_1/ses_1'])
      expect(matchRoute('HEAD', path)).toEqual(matchRoute('GET', path))
    expect(matchRoute('HEAD', '/api/v1/tokens')).toEqual({ allow: ['POST'] })
  })

  test.each([
    '/pages',
    '/pages/',
    '/pages/sessions',
    '/pages/sessions/mer_1',
    '/pages/sessions//ses_1',
    '/pages/payments',
  ])('finds neither a page nor an API route at %s', (path) => {
    for (const method of ['GET', 'POST']) expect(matchRoute(method, path)).toBeUndefined()
  })

  test('returns the methods that a path allows, whatever other method is tried', () => {
    for (const method of ['PUT', 'DELETE', 'head', 'OPTIONS', 'get', '', '__proto__', 'constructor']) {
      expect(matchRoute(method, '/api/v1/payments')).toEqual({ allow: ['GET', 'POST'] })
    }
    expect(matchRoute('POST', '/api/v1/customers/cus_1')).toEqual({ allow: ['GET', 'PATCH', 'DELETE'] })
  })

  test.each([
    '',
    '/api/v1',
    '/api/v1/',
    '/payments',
    '/api/v2/payments',
    '/api/v1/nothing',
    '/api/v1payments',
    '/api/v1x/payments',
    '/api/v1//payments',
    '/api/v1/payments//',
    '/api/v1/payments//capture',
    '/api/v1/payments/pay_1/nothing',
    '/api/v1/payments/pay_1/refund/more',
    '/api/v1/Payments',
    '/api/v1/__proto__',
  ])('finds nothing at %s', (path) => {
    for (const method of ['GET', 'POST']) expect(matchRoute(method, path)).toBeUndefined()
  })

  test('decodes parameters, and keeps those that cannot be decoded', () => {
    const id = (segment: string) => matchRoute('GET', `/api/v1/payments/${segment}`)
    expect(id('a%2Fb%20%C3%A9')).toMatchObject({ params: { id: 'a/b é' } })
    expect(id('100%')).toMatchObject({ params: { id: '100%' } })
    expect(id('%ff')).toMatchObject({ params: { id: '%ff' } })
  })

  test('never throws', () => {
    const segments = fc.array(fc.oneof(fc.string(), fc.constantFrom('payments', '%', '', 'refund')))
    fc.assert(
      fc.property(fc.string(), segments, (method, path) => {
        matchRoute(method, path.join('/'))
        matchRoute(method, `/api/v1/${path.join('/')}`)
      }),
    )
  })
})

describe('routeMatcher', () => {
  const row = (route: string, file: string) => {
    const [method, path = ''] = route.split(' ')
    return { route: route as Route, method: method as Method, path, file }
  }

  test('prefers a literal segment to a parameter, whatever their order in the table', () => {
    const rows = [
      row('GET /a/:id', 'param'),
      row('GET /a/b', 'literal'),
      row('POST /a/b/c', 'deep'),
      row('GET /a/:id/:key', 'two'),
    ]
    for (const table of [rows, rows.toReversed()]) {
      const match = routeMatcher(table, new Map())
      expect(match('GET', '/api/v1/a/b')).toMatchObject({ file: 'literal', params: {} })
      expect(match('GET', '/api/v1/a/x')).toMatchObject({ file: 'param', params: { id: 'x' } })
      expect(match('POST', '/api/v1/a/b/c')).toMatchObject({ file: 'deep' })
      expect(match('GET', '/api/v1/a/b/d')).toMatchObject({ file: 'two', params: { id: 'b', key: 'd' } })
    }
  })

  test('serves an onboarding record under its short path too, if the record is served', () => {
    const long = row('PATCH /live_application/site_information', 'live-application/site-information/update')
    const match = routeMatcher([long, row('GET /payment_methods', 'payment-methods/list')], shortPaths())
    const found = { route: long.route, file: long.file, params: {} }
    expect(match('PATCH', '/api/v1/live_application/site_information')).toEqual(found)
    expect(match('PATCH', '/api/v1/site_information')).toEqual(found)
    expect(match('GET', '/api/v1/site_information')).toEqual({ allow: ['PATCH'] })
    expect(match('PATCH', '/api/v1/company_information')).toBeUndefined()
  })
})

describe('isPagePath', () => {
  test.each([
    ['/pages', true],
    ['/pages/', true],
    ['/pages/nothing', true],
    ['/pagesx', false],
    ['/api/v1/pages', false],
    ['/', false],
  ])('for %s is %s', (path, is) => {
    expect(isPagePath(path)).toBe(is)
  })
})
