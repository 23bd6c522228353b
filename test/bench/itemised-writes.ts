import type { ItemUnits } from '#test/partitions/consumed-units.ts'
import type { RecordedCall, Round } from './call-recorder.ts'
import { note, table } from './report.ts'
import { workSamples } from './work-samples.ts'

/** What each written item is for, by its `pk` and `sk`. The first pattern that matches counts. */
const reasons: readonly (readonly [pattern: RegExp, item: string, reason: string])[] = [
  [/^idempotency#/, 'idempotency key', 'a repeated request gets the first response, and charges once'],
  [
    /^payment#.*\|attempt#/,
    'attempt',
    'the order to the acquirer is stored before it is sent, and its outcome afterwards',
  ],
  [/^payment#/, 'payment', 'the resource'],
  [/^event#.*\|outbox/, 'outbox row', 'the event reaches the webhooks even if the stream fails'],
  [/^event#/, 'event', 'the resource, as it was'],
  [/^movement#/, 'movement', 'the settlement pays it out once'],
  [/^delivery#.*\|attempt#/, 'delivery attempt', 'the merchant sees the request and its answer'],
  [/^delivery#/, 'delivery', 'the resource, with the lease of its worker'],
  [/^list#.*#count\|lane#/, 'lane', 'the exact `total` of lists'],
  [/^list#delivery#.*#webhook#/, 'list entry of the webhook', '`GET /deliveries?webhook=`'],
  [/^list#delivery#.*#payment#/, 'list entry of the payment', '`GET /deliveries?payment=`'],
  [/^list#/, 'list entry', 'the list is complete as soon as the request is answered'],
  [/^due#/, 'entry of the due index', 'the sweep finds work that was left undone'],
]

/** Prints every write of a keyed card payment and of the delivery of its event, with its units. */
export async function itemisedWrites(): Promise<void> {
  const [sample] = await workSamples({ payments: 1, apart_ms: 5_000, webhooks: 1, deliveries_max: 1 })
  const steps: readonly (readonly [string, readonly Round[]])[] = [
    ['payment', sample!.payment],
    ['fan-out', sample!.fan_outs.flatMap(({ rounds }) => rounds)],
    ['delivery', sample!.deliveries[0]!],
  ]
  note('Every write of a payment with a card and an idempotency key, and of the delivery of its event to one webhook.')
  const rows = steps.flatMap(([step, rounds]) =>
    writesIn(rounds).flatMap((call, index) =>
      itemsOf(call).map((item) => [`${step}, ${call.is_transaction ? 'transaction' : 'write'} ${index + 1}`, ...item]),
    ),
  )
  const sum = rows.reduce((units, [, , of_item]) => units + Number(of_item), 0)
  table(['step', 'item', 'WU', 'reason'], [...rows, ['all', '', sum, '']])
}

const writesIn = (rounds: readonly Round[]): RecordedCall[] =>
  rounds.flatMap(({ calls }) => calls).filter(({ operation }) => operation === 'write')

const itemsOf = ({ items, index }: RecordedCall) =>
  [...items, ...index].map(({ key: { pk, sk }, units }: ItemUnits) => {
    const found = reasons.find(([pattern]) => pattern.test(`${pk}|${sk}`))
    if (!found) throw new Error(`There is no reason for the item ${pk} ${sk}.`)
    return [found[1], units, found[2]] as const
  })
