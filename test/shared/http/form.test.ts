import { parse } from 'node:querystring'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_LEVELS, MAX_PAIRS, nest, numberEmptyBrackets } from '#shared/http/form.ts'

const numbered = (raw: string) => decodeURIComponent(numberEmptyBrackets(raw))
const read = (raw: string) => nest(parse(numberEmptyBrackets(raw)) as Record<string, string | string[]>)
const badRequest = (param: string | null) => expect.objectContaining({ name: 'Refusal', code: 'bad_request', param })

describe('numberEmptyBrackets', () => {
  test('begins a new element where a sub-key repeats', () => {
    expect(numbered('a[][b]=1&a[][c]=2&a[][b]=3')).toBe('a[0][b]=1&a[0][c]=2&a[1][b]=3')
  })

  test('numbers each plain list separately', () => {
    expect(numbered('a[]=x&b[]=y&a[]=z')).toBe('a[0]=x&b[0]=y&a[1]=z')
  })

  test('keeps lists inside their element, percent-encoded or not', () => {
    const webhooks = 'w[][url]=u&w[][events][]=x&w[][events][]=y&w[][url]=v&w[][events][]=z'
    const expected = 'w[0][url]=u&w[0][events][0]=x&w[0][events][1]=y&w[1][url]=v&w[1][events][0]=z'
    expect(numbered(webhooks)).toBe(expected)
    expect(numbered(webhooks.replaceAll('[', '%5B').replaceAll(']', '%5d'))).toBe(expected)
  })

  test('treats differently encoded keys as the same key', () => {
    expect(numbered('a[][b c]=1&a[][b+c]=2&a[][%62%20c]=3')).toBe('a[0][b c]=1&a[1][b c]=2&a[2][b c]=3')
  })

  test('numbers lists of objects within lists of objects', () => {
    expect(numbered('a[][b][][c]=1&a[][b][][d]=2&a[][b][][c]=3&a[][e]=4&a[][e]=5&a[][b][][c]=6')).toBe(
      'a[0][b][0][c]=1&a[0][b][0][d]=2&a[0][b][1][c]=3&a[0][e]=4&a[1][e]=5&a[1][b][0][c]=6',
    )
  })

  test('begins a new element after a text, and where an object would become a text', () => {
    expect(numbered('a[]=1&a[][b]=2&a[]=3')).toBe('a[0]=1&a[1][b]=2&a[2]=3')
    expect(numbered('a[][b][c]=1&a[][b]=2')).toBe('a[0][b][c]=1&a[1][b]=2')
  })

  test('keeps a list together that is the only element of a list', () => {
    expect(numbered('a[][]=1&a[][]=2')).toBe('a[0][0]=1&a[0][1]=2')
  })

  test('leaves values and other names unchanged', () => {
    expect(numberEmptyBrackets('a=[]%5B%5D+%zz&=x&b&&c==&d%20e=1')).toBe('a=[]%5B%5D+%zz&=x&b&c==&d%20e=1')
  })

  test('replaces lone surrogates, which cannot be encoded', () => {
    expect(numberEmptyBrackets('\ud800[]=1')).toBe('%EF%BF%BD%5B0%5D=1')
  })

  test(`refuses more than ${MAX_PAIRS} pairs, because the parser would drop them silently`, () => {
    const form = (pairs: number) => Array.from({ length: pairs }, (_, index) => `k${index}=v`).join('&')
    expect(Object.keys(read(form(MAX_PAIRS)))).toHaveLength(MAX_PAIRS)
    expect(() => numberEmptyBrackets(form(MAX_PAIRS + 1))).toThrow(badRequest(null))
  })
})

describe('nest', () => {
  test('makes objects and lists, in the order of their numbers', () => {
    expect(
      nest({ 'a[b][c]': '1', 'a[d]': '2', 'l[1][x]': 'b', 'l[0][x]': 'a', 'm[]': ['p', 'q'], 'n[]': 'r' }),
    ).toEqual({
      a: { b: { c: '1' }, d: '2' },
      l: [{ x: 'a' }, { x: 'b' }],
      m: ['p', 'q'],
      n: ['r'],
    })
  })

  test('orders more than nine elements numerically', () => {
    const letters = [...'abcdefghijkl']
    expect(read(letters.map((letter) => `a[]=${letter}`).join('&'))).toEqual({ a: letters })
  })

  test('takes the last of a repeated name', () => {
    expect(nest({ a: ['1', '2'], b: [] })).toEqual({ a: '2' })
  })

  test('keeps numbers that do not form a complete list as keys, without filling the gaps', () => {
    expect(nest({ 'a[999999999]': 'x', 'b[1]': 'y', 'c[00]': 'z', 'd[-1]': 'w', '0': 'top' })).toEqual({
      a: { 999999999: 'x' },
      b: { 1: 'y' },
      c: { '00': 'z' },
      d: { '-1': 'w' },
      0: 'top',
    })
  })

  test('takes a name with unpaired brackets literally', () => {
    const odd = {
      'a[b': '1',
      'a]': '2',
      '[]': '3',
      'a[b]c': '4',
      'a[[b]]': '5',
      '': '6',
      'a[b]]': '7',
      'a[': '8',
      'a[[b]': '9',
    }
    expect(nest(odd)).toEqual(odd)
  })

  test.each([
    [{ a: '1', 'a[b]': '2' }, 'a'],
    [{ 'a[b]': '2', a: '1' }, 'a'],
    [{ 'a[b][c]': '1', 'a[b]': '2' }, 'a[b]'],
    [{ 'a[]': ['1'], 'a[0][b]': '2' }, 'a[0]'],
  ])('names the parameter that is both text and object: %j', (flat, param) => {
    expect(() => nest(flat)).toThrow(badRequest(param))
  })

  test(`accepts ${MAX_LEVELS} levels, and refuses one more`, () => {
    const name = (levels: number) => `a${'[b]'.repeat(levels - 1)}`
    expect(JSON.stringify(nest({ [name(MAX_LEVELS)]: 'x' })).split('"b"')).toHaveLength(MAX_LEVELS)
    expect(() => nest({ [name(MAX_LEVELS + 1)]: 'x' })).toThrow(badRequest(null))
    expect(() => numberEmptyBrackets(`a${'[]'.repeat(500_000)}=x`)).toThrow(badRequest(null))
  })

  test('counts the values of one name too', () => {
    expect(() => nest({ 'a[]': Array(MAX_PAIRS + 1).fill('x') })).toThrow(badRequest(null))
  })

  test('never reaches a prototype, whatever the names', () => {
    const segment = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'a', '')
    fc.assert(
      fc.property(fc.array(fc.array(segment, { minLength: 1, maxLength: 4 }), { maxLength: 4 }), (names) => {
        const before = Object.getOwnPropertyNames(Object.prototype)
        const raw = names
          .map(([first, ...inner]) => `${first}${inner.map((s) => `[${s}]`).join('')}=polluted`)
          .join('&')
        let object: Record<string, unknown> = {}
        try {
          object = read(raw)
        } catch (refusal) {
          expect(refusal).toEqual(expect.objectContaining({ code: 'bad_request' }))
        }
        expect(Object.getPrototypeOf({ ...object })).toBe(Object.prototype)
        expect(Object.getPrototypeOf(Object.assign({}, object))).toBe(Object.prototype)
        expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
        expect(({} as Record<string, unknown>).polluted).toBeUndefined()
        expect(typeof Object.prototype.toString).toBe('function')
      }),
    )
    expect(() => read('__proto__[polluted]=1')).toThrow(badRequest('__proto__'))
    expect(() => read('a[__proto__]=1')).toThrow(badRequest('a[__proto__]'))
  })
})
