import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { describe, expect, test } from 'vitest'
import { earlierSend } from '#shared/platform/aws/lost-answer.ts'
import type { Write } from '#shared/platform/ports.ts'

const answer = { message: '', $metadata: {} }

/** An item in the form of DynamoDB. */
const there = (sk: string, version: number, by = 'us') => ({
  ...{ pk: { S: 'p' }, sk: { S: sk }, version: { N: String(version) }, by: { M: { who: { S: by } } } },
})
const item = (sk: string, version: number) => ({ pk: 'p', sk, version, by: { who: 'us' }, left_out: undefined })

/** The refusal of a transaction: for each write the item that was found, or `none` where the condition held. */
const refused = (...found: (object | 'gone' | 'none')[]) =>
  new TransactionCanceledException({
    ...answer,
    CancellationReasons: found.map((each) =>
      each === 'none'
        ? { Code: 'None' }
        : { Code: 'ConditionalCheckFailed', Item: each === 'gone' ? undefined : (each as never) },
    ),
  })

describe('earlierSend of one item', () => {
  const found = (Item?: object) => new ConditionalCheckFailedException({ ...answer, Item: Item as never })
  const writes: Write[] = [{ put: item('a', 3), was: 2 }]

  test.each([
    ['done', 'the item is stored as written', there('a', 3)],
    ['not_done', 'its version is of another writer', there('a', 3, 'them')],
    [undefined, 'the item has a later version', there('a', 4, 'them')],
    [undefined, 'the item is gone', undefined],
  ])('is %s if %s', (expected, _, Item) => {
    expect(earlierSend(found(Item), writes)).toBe(expected)
  })

  test('is unknown for a delete, because a delete of another writer looks the same', () => {
    expect(earlierSend(found(), [{ delete: item('a', 3), was: 3 }])).toBeUndefined()
  })
})

describe('earlierSend of several items', () => {
  const writes: Write[] = [
    { put: item('a', 3), was: 2 },
    { put: item('b', 1), was: 0 },
    { check: item('c', 1), was: 1 },
    { delete: item('d', 1), was: 1 },
    { put: item('e', 9) },
  ]

  test.each([
    ['done', 'all items are stored as written', refused(there('a', 3), there('b', 1), 'none', 'gone', 'none')],
    ['not_done', 'one item is of another writer', refused(there('a', 3, 'them'), 'none', 'none', 'none', 'none')],
    [
      'not_done',
      'all items are of another writer',
      refused(there('a', 3, 'them'), there('b', 1, 'them'), 'none', 'gone', 'none'),
    ],
    [
      undefined,
      'one item is stored as written, and one is of another writer',
      refused(there('a', 3), there('b', 1, 'them'), 'none', 'gone', 'none'),
    ],
    [undefined, 'the item to delete still exists', refused(there('a', 3), there('b', 1), 'none', 'none', 'none')],
    [
      undefined,
      'the item to delete exists again',
      refused(there('a', 3), there('b', 1), 'none', there('d', 2), 'none'),
    ],
    ['done', 'a checked item has changed since', refused(there('a', 3), there('b', 1), 'gone', 'gone', 'none')],
    [
      undefined,
      'only one item is stored as written, which another writer can have written',
      refused('none', there('b', 1), 'none', 'none', 'none'),
    ],
    [undefined, 'one item has a later version', refused(there('a', 4), there('b', 1), 'none', 'gone', 'none')],
    [
      undefined,
      'one item has a later version, and one is of another writer',
      refused(there('a', 4), there('b', 1, 'them'), 'none', 'none', 'none'),
    ],
    [undefined, 'only a check failed', refused('none', 'none', there('c', 2), 'none', 'none')],
  ])('is %s if %s', (expected, _, error) => {
    expect(earlierSend(error, writes)).toBe(expected)
  })
})

describe('earlierSend of writes with a delete', () => {
  const put = { put: item('a', 3), was: 2 }

  test.each([
    ['done', 'that did not exist and does not', 0, 'none'],
    [undefined, 'that did not exist and does now', 0, there('d', 1)],
    ['done', 'in any version', undefined, 'none'],
  ] as const)('%s: %s', (expected, _, was, found) => {
    expect(earlierSend(refused(there('a', 3), found), [put, { delete: item('is %s for an item %s', 1), was }])).toBe(
      expected,
    )
  })
})

test('earlierSend is unknown for any other failure', () => {
  expect(earlierSend(new Error('cut'), [{ put: item('a', 3), was: 2 }])).toBeUndefined()
})
