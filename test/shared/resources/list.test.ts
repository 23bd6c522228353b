import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { list_fields, listOf } from '#shared/resources/list.ts'
import { parse } from '#shared/resources/parse.ts'
import { viewOf } from '#shared/resources/view.ts'
import { refusalOf } from '#test/fixtures/refusals.ts'

const List = v.object(list_fields)

describe('list_fields', () => {
  test('default to the first page of ten', () => {
    expect(parse(List, {})).toEqual({ page: 1, per_page: 10 })
  })

  test('accept text, as in a query', () => {
    expect(
      parse(List, {
        page: '3',
        per_page: '100',
        start_time: '2030-01-01T00:00:00Z',
        end_time: '2030-01-01T09:00:00+09:00',
      }),
    ).toEqual({ page: 3, per_page: 100, start_time: Date.UTC(2030, 0, 1), end_time: Date.UTC(2030, 0, 1) })
  })

  test.each([
    { page: 0 },
    { page: '' },
    { page: -1 },
    { page: 1_000_000_001 },
    { per_page: 0 },
    { per_page: 101 },
    { per_page: null },
    { start_time: 'yesterday' },
    { end_time: '2030-01-32' },
  ])('reject %j', (request) => {
    expect(refusalOf(List, request)).toMatchObject({ code: 'invalid_parameter', param: Object.keys(request)[0] })
  })
})

describe('listOf', () => {
  const shown = v.strictObject({ id: v.string() })
  const list = listOf(viewOf(shown, ({ id }: { id: string; secret: string }) => ({ id })))

  test('returns the views of a page', () => {
    const data = [
      { id: 'b', secret: 'x' },
      { id: 'a', secret: 'y' },
    ]
    expect(Object.entries(list({ total: 12, page: 2, per_page: 10, data }))).toEqual([
      ['resource', 'list'],
      ['total', 12],
      ['page', 2],
      ['per_page', 10],
      ['last_page', 2],
      ['data', [{ id: 'b' }, { id: 'a' }]],
    ])
  })

  test('describes the page with the schema of its records', () => {
    const shown_page = list({ total: 1, page: 1, per_page: 10, data: [{ id: 'a', secret: 'x' }] })
    expect(v.is(list.schema, shown_page)).toBe(true)
    expect(v.is(list.schema, { ...shown_page, data: [{ id: 'a', secret: 'x' }] })).toBe(false)
  })

  test.each([
    [0, 10, 0],
    [1, 10, 1],
    [10, 10, 1],
    [11, 10, 2],
    [1_000_000, 1, 1_000_000],
  ])('computes for %i records with %i per page the last page %i', (total, per_page, last_page) => {
    expect(list({ total, page: 1, per_page, data: [] }).last_page).toBe(last_page)
  })
})
