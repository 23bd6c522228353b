import { describe, expect, test } from 'vitest'
import { accessOf, rarely_used_access, soon_due } from '#infra/access/access-of.ts'
import { type AccessWay, access_ways, type FunctionAccess, together } from '#infra/access/function-access.ts'
import { recorded_access } from '#infra/access/recorded-access.ts'
import { backgroundFiles, sweep, workers } from '#shared/background.ts'
import { servedFiles, servedRoutes } from '#shared/routes.ts'

const files = [...servedFiles(), ...backgroundFiles].sort()

const usersOf = (way: AccessWay, what: string) =>
  Object.keys(recorded_access).filter((file) => (accessOf(file)[way] as readonly string[] | undefined)?.includes(what))

const usesOf = (access: FunctionAccess): string[] =>
  access_ways.flatMap((way) => (access[way] ?? []).map((what) => `${way} ${what}`))

describe('the recorded access', () => {
  test('has an entry for every function, and no other entry', () => {
    expect(Object.keys(recorded_access)).toEqual(files)
  })

  test('of a function without an entry is an error that names the command', () => {
    expect(() => accessOf('toys/create')).toThrow('The access of toys/create is not recorded. Run "npm run access".')
  })

  test('has a send only to the queue of a kind of records that the same function writes, except for what finds due work', () => {
    const explained = ({ puts = [] }: FunctionAccess) => puts.map((kind) => soon_due[kind])
    const unexplained = Object.entries(recorded_access)
      .filter(([file]) => file !== sweep && file !== workers.clocks)
      .flatMap(([file, access]) =>
        (access.sends ?? []).filter((queue) => !explained(access).includes(queue)).map((queue) => `${file} ${queue}`),
      )
    expect(unexplained, 'add the kind of the record to soon_due').toEqual([])
  })
})

describe('the access that is not recorded', () => {
  test('repeats nothing that is recorded', () => {
    const recorded = rarely_used_access.flatMap(({ file, access }) =>
      usesOf(access)
        .filter((use) => usesOf(recorded_access[file]).includes(use))
        .map((use) => `${file} ${use}`),
    )
    expect(recorded, 'remove it from rarely_used_access').toEqual([])
  })

  test('is added to what is recorded', () => {
    expect(accessOf('pages/sessions/pay')).toEqual(
      together(recorded_access['pages/sessions/pay'], {
        gets: ['sandbox'],
        puts: ['due_entry'],
        deletes: ['due_entry'],
        sends: ['chores'],
      }),
    )
  })

  test('contains a queue only for kinds of records that a function writes', () => {
    expect(Object.keys(soon_due).filter((kind) => usersOf('puts', kind).length === 0)).toEqual([])
  })
})

// These lists are not generated: a new record of the access cannot extend them.
describe('the limits of the roles', () => {
  test.each<[AccessWay, string, string[]]>([
    [
      'opens',
      'payment_details',
      [
        'background/capture',
        'customers/create',
        'customers/update',
        'pages/sessions/pay',
        'payments/create',
        'secure-tokens/create',
        'sessions/pay',
        'subscriptions/create',
      ],
    ],
    [
      'seals',
      'payment_details',
      [
        'customers/create',
        'customers/update',
        'pages/sessions/pay',
        'secure-tokens/create',
        'sessions/pay',
        'tokens/create',
      ],
    ],
    ['opens', 'webhook_secret', ['background/deliver']],
    [
      'seals',
      'webhook_secret',
      ['payments/create', 'sessions/create', 'webhooks/create', 'webhooks/rotate', 'webhooks/update'],
    ],
    ['objects', 'PutObject', ['files/create']],
    ['objects', 'GetObject', ['accounts/update', 'files/content']],
    ['objects', 'DeleteObject', ['background/chores']],
    ['logos', 'PutObject', ['accounts/update']],
    ['logos', 'GetObject', ['pictures/logos/show']],
    ['logos', 'DeleteObject', []],
    ['puts', 'logo', ['accounts/update']],
    [
      'gets',
      'token',
      [
        'background/chores',
        'customers/create',
        'customers/update',
        'payments/create',
        'secure-tokens/create',
        'sessions/pay',
      ],
    ],
    ['puts', 'key', ['accounts/keys/create', 'accounts/keys/delete', 'accounts/keys/roll']],
    ['puts', 'merchant', ['accounts/create', 'accounts/update']],
    ['puts', 'test_clock', ['background/move-test-clocks', 'test-clock/create']],
    ['queries', 'due_entry', ['background/move-test-clocks']],
    ['puts', 'settlement', ['background/chores']],
    ['puts', 'cursor', ['background/sweep']],
    [
      'sends',
      'captures',
      [
        'background/capture',
        'background/move-test-clocks',
        'background/sweep',
        'customers/delete',
        'subscriptions/create',
        'subscriptions/delete',
      ],
    ],
  ])('allow "%s %s" only for the listed functions', (way, what, functions) => {
    expect(usersOf(way, what)).toEqual(functions)
  })

  test('the delivery of webhooks reads no cards and no secrets of other records', () => {
    expect(accessOf('background/deliver')).toEqual({
      gets: ['delivery', 'event', 'merchant', 'payment', 'test_clock', 'webhook'],
      puts: ['delivery', 'due_entry', 'list#delivery'],
      deletes: ['due_entry'],
      sends: ['deliveries'],
      opens: ['webhook_secret'],
    })
  })

  test('the response to unknown paths has no access', () => {
    expect(accessOf('background/not-found')).toEqual({})
  })

  test('a GET endpoint writes nothing but the counts of its list', () => {
    const writing = servedRoutes()
      .filter(({ method }) => method === 'GET')
      .flatMap(({ file }) => usesOf(accessOf(file)).map((use) => `${file} ${use}`))
      .filter((use) => /^\S+ (puts (?!list#)|deletes|sends|seals)/.test(use))
    expect(writing).toEqual([])
  })
})
