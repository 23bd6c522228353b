import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { describe, expect, test } from 'vitest'
import { earlierSend } from '#shared/platform/aws/lost-answer.ts'
import type { Write } from '#shared/platform/ports.ts'

const answer = { message: '', $metadata: {} }

/** An item as DynamoDB tells of it. */
const there = (sk: string, version: number, by = 'us') => ({
  ...{ pk: { S: 'p' }, sk: { S: sk }, version: { N: String(version) }, by: { M: { who: { S: by } } } },
})
const item = (sk: string, version: number) => ({ pk: 'p', sk, version, by: { who: 'us' }, left_out: undefined })

/** What a transaction is refused with: by write what was found, `none` where the condition held. */
const refused = (...found: (object | 'gone' | 'none')[]) =>
  new TransactionCanceledException({
    ...answer,
    CancellationReasons: found.map((each) =>
      each === 'none'
        ? { Code: 'None' }
        : { Code: 'ConditionalCheckFailed', Item: each === 'gone' ? undefined : (each as never) },
    ),
  })

describe('of one item', () => {
  const found = (Item?: object) => new ConditionalCheckFailedException({ ...answer, Item: Item as never })
  const writes: Write[] = [{ put: item('a', 3), was: 2 }]

  test.each([
    ['done', 'it is there as written', there('a', 3)],
    ['not_done', 'its version is of someone else', there('a', 3, 'them')],
    [undefined, 'it has moved on', there('a', 4, 'them')],
    [undefined, 'it is gone', undefined],
  ])('%s: %s', (expected, _, Item) => {
    expect(earlierSend(found(Item), writes)).toBe(expected)
  })

  test('a deletion is never known again: whoever else deletes leaves the same', () => {
    expect(earlierSend(found(), [{ delete: item('a', 3), was: 3 }])).toBeUndefined()
  })
})

describe('of several', () => {
  const writes: Write[] = [
    { put: item('a', 3), was: 2 },
    { put: item('b', 1), was: 0 },
    { check: item('c', 1), was: 1 },
    { delete: item('d', 1), was: 1 },
    { put: item('e', 9) },
  ]

  test.each([
    ['done', 'all are there as written', refused(there('a', 3), there('b', 1), 'none', 'gone', 'none')],
    ['not_done', 'one is of someone else', refused(there('a', 3, 'them'), 'none', 'none', 'none', 'none')],
    [
      'not_done',
      'all are of someone else',
      refused(there('a', 3, 'them'), there('b', 1, 'them'), 'none', 'gone', 'none'),
    ],
    [
      undefined,
      'one is there as written, and one is of someone else, who may have begun it again',
      refused(there('a', 3), there('b', 1, 'them'), 'none', 'gone', 'none'),
    ],
    [undefined, 'what they delete is still there', refused(there('a', 3), there('b', 1), 'none', 'none', 'none')],
    [
      undefined,
      'what they delete is there again',
      refused(there('a', 3), there('b', 1), 'none', there('d', 2), 'none'),
    ],
    ['done', 'what they checked has gone on since', refused(there('a', 3), there('b', 1), 'gone', 'gone', 'none')],
    [
      undefined,
      'one alone is there as written, as someone else may write it',
      refused('none', there('b', 1), 'none', 'none', 'none'),
    ],
    [undefined, 'one has moved on', refused(there('a', 4), there('b', 1), 'none', 'gone', 'none')],
    [
      undefined,
      'one has moved on, and one is of someone else',
      refused(there('a', 4), there('b', 1, 'them'), 'none', 'none', 'none'),
    ],
    [undefined, 'only a check was refused', refused('none', 'none', there('c', 2), 'none', 'none')],
  ])('%s: %s', (expected, _, error) => {
    expect(earlierSend(error, writes)).toBe(expected)
  })
})

describe('that delete', () => {
  const put = { put: item('a', 3), was: 2 }

  test.each([
    ['done', 'what was not there, and is not', 0, 'none'],
    [undefined, 'what was not there, and is now', 0, there('d', 1)],
    ['done', 'whatever is there', undefined, 'none'],
  ] as const)('%s: %s', (expected, _, was, found) => {
    expect(earlierSend(refused(there('a', 3), found), [put, { delete: item('d', 1), was }])).toBe(expected)
  })
})

test('any other failure tells nothing', () => {
  expect(earlierSend(new Error('cut'), [{ put: item('a', 3), was: 2 }])).toBeUndefined()
})
