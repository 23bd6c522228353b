import { describe, expect, test } from 'vitest'
import type { Item } from '#shared/platform/ports.ts'
import { Partitions } from '#test/partitions/partitions.ts'
import { VirtualTime } from '#test/partitions/virtual-time.ts'
import type { RecordedCall, Round } from './call-recorder.ts'
import { type Outcome, Replay } from './replay.ts'
import { positionIn, type Rounds, templatesOf } from './replay-templates.ts'
import { assumed } from './usage.ts'

const ACQUIRER_MS = assumed.acquirer_ms
const TRANSACTION_MS = 2 * assumed.wait_ms

type Keyed = Pick<Item, 'pk' | 'sk'>

const write = (keys: readonly Keyed[], units = 2, checked: readonly Keyed[] = []): RecordedCall => ({
  ...{ operation: 'write', is_transaction: true, index: [], checked },
  items: keys.map((key) => ({ key, units })),
})

const round = (call: RecordedCall): Round => ({ calls: [call], elsewhere_ms: 0 })

/** The templates of payments whose requests have these rounds. */
const roundsOf = (...payments: Round[][]): Rounds[] =>
  templatesOf(payments.map((payment) => ({ payment, fan_outs: [], deliveries: [] }))).templates.map(
    ({ payment }) => payment,
  )

function open(partitions = new Partitions({ count: 1 })) {
  const time = new VirtualTime()
  const replay = new Replay(time, partitions, new Partitions({ count: 1 }))
  const ended: [Outcome, number][] = []
  const play = (rounds: Rounds, number: number, onRound?: (round: number) => void) =>
    replay.play({
      ...{ rounds, number, born: 0, batch: 1, tries_max: 5, onRound },
      onEnd: (outcome) => ended.push([outcome, time.now]),
    })
  return { time, replay, ended, play }
}

const shared = { pk: 'list#1', sk: 'row' }
const own = (number: number) => ({ pk: `payment#${number}`, sk: 'payment' })

describe('the templates', () => {
  const entry = (number: number) => ({ pk: 'list#1', sk: `pay_000000000${number}xyz` })
  const [first] = roundsOf(...[1, 2].map((number) => [round(write([own(number), entry(number), shared]))]))
  const [record, listed, row] = first![0]!.calls[0]!.items

  test('give the records of a payment other keys in each replay', () => {
    const [one, other] = [1, 2].map((number) => positionIn({ number, letters: '' }, record!))
    expect(one!.hash).not.toBe(other!.hash)
    expect(record!.shared).toBeUndefined()
  })

  test('keep a list, and give its entry the time of the replay', () => {
    const replayed = positionIn({ number: 7, letters: '00000000zz' }, listed!)
    expect(replayed).toEqual({ hash: listed!.hash, sk: 'pay_00000000zz7' })
    expect(listed!.shared).toBeUndefined()
  })

  test('keep an item that several payments write', () => {
    expect(row!.shared).toBe('list#1|row')
    expect(positionIn({ number: 7, letters: '' }, row!).sk).toBe('row')
  })
})

describe('a replay', () => {
  test('ends after the time of its rounds', () => {
    const { time, ended, play } = open()
    const rounds: Round[] = [round(write([own(1)])), { calls: [], elsewhere_ms: ACQUIRER_MS }]
    play(roundsOf(rounds)[0]!, 1)
    time.runUntil(10_000)
    expect(ended).toEqual([['done', TRANSACTION_MS + assumed.call_ms + ACQUIRER_MS]])
  })

  test('repeats a transaction that meets another one on a shared item', () => {
    const { time, ended, play, replay } = open()
    const [one, other] = roundsOf([round(write([own(1), shared]))], [round(write([own(2), shared]))])
    play(one!, 1)
    play(other!, 2)
    time.runUntil(10_000)
    expect(ended.map(([outcome]) => outcome)).toEqual(['done', 'done'])
    expect(replay.answers.conflicts).toBeGreaterThan(0)
  })

  test('reads again when the version of a shared item has changed', () => {
    const { time, ended, play } = open()
    const read: RecordedCall = { ...write([shared], 1), operation: 'read', is_transaction: false }
    const works = [1, 2].map((number) => [round(read), round(write([own(number), shared], 2, [shared]))])
    const [one, other] = roundsOf(...works)
    const rounds: number[] = []
    play(one!, 1)
    time.after(TRANSACTION_MS, () => play(other!, 2, (at) => rounds.push(at)))
    time.runUntil(10_000)
    expect(ended.map(([outcome]) => outcome)).toEqual(['done', 'done'])
    expect(rounds).toEqual([0, 1, 0, 1])
  })

  test('fails when a write is throttled four times', () => {
    const partitions = new Partitions({ count: 1 })
    partitions.consume('write', [{ position: { hash: 0, sk: '' }, units: 300_000 }], 0)
    const { time, ended, play, replay } = open(partitions)
    play(roundsOf([round(write([own(1)], 5_000))])[0]!, 1)
    time.runUntil(4_000)
    expect(ended[0]?.[0]).toBe('throttled')
    expect(replay.answers.throttled.write).toBe(4)
  })

  test('repeats no call that led outside of the platform', () => {
    const { time, ended, play } = open()
    const works = [1, 2].map((number) => [
      { calls: [], elsewhere_ms: ACQUIRER_MS },
      round(write([own(number), shared], 2, [shared])),
    ])
    const rounds: number[] = []
    const [one, other] = roundsOf(...works)
    play(one!, 1)
    time.after(1, () => play(other!, 2, (at) => rounds.push(at)))
    time.runUntil(10_000)
    expect(ended.map(([outcome]) => outcome)).toEqual(['done', 'done'])
    expect(rounds.filter((at) => at === 0)).toHaveLength(1)
  })
})
