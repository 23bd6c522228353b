import { expect, test } from 'vitest'
import { valuesIn } from '#shared/platform/aws/attribute.ts'

test('valuesIn returns the item that was written', () => {
  const attributes = {
    text: { S: '' },
    number: { N: '-1.5e-130' },
    no: { BOOL: false },
    nothing: { NULL: true },
    list: { L: [{ N: '1' }, { L: [] }, { M: { inner: { NULL: true } } }] },
    map: { M: { constructor: { S: 'c' }, yes: { BOOL: true } } },
    empty: { M: {} },
  }
  expect(valuesIn(attributes)).toEqual({
    text: '',
    number: -1.5e-130,
    no: false,
    nothing: null,
    list: [1, [], { inner: null }],
    map: { constructor: 'c', yes: true },
    empty: {},
  })
})
