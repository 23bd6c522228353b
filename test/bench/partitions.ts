import { type LateFigures, lateFanOuts } from './late-fan-outs.ts'
import { heading, mark, note, table } from './report.ts'
import { type SteadyFigures, steadyLoad, UTILISATION_AT_MOST } from './steady-load.ts'
import { assumed } from './usage.ts'

const FIRST_DELIVERY_SECONDS_AT_MOST = 2
const LATE_MINUTES_AT_MOST = 10

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Runs the loads of a growing merchant against a model of DynamoDB's partitions, on virtual time. */
export async function partitionsBench(): Promise<void> {
  heading('One merchant on the partitions of DynamoDB')
  note(
    'A model of partitions on virtual time: test/partitions/published-limits.ts names the page of each figure. The functions',
    'run once on a table in memory, and their recorded calls are replayed with keys of their own. A call of the platform is',
    `assumed to take ${assumed.wait_ms} ms, a transaction ${2 * assumed.wait_ms} ms, the function's own work ${assumed.own_ms} ms and ${assumed.call_ms} ms for each call, the acquirer ${assumed.acquirer_ms} ms,`,
    `a receiver ${assumed.receiver_ms} ms. The stream is polled four times a second. The ledger of the sandbox acquirer is left out. The table`,
    'and its index have the partitions that the payments which prod admits in a second need: its warm throughput.',
  )
  const steady = [
    await steadyLoad({ payments_per_second: 100, webhooks: 10 }),
    await steadyLoad({ payments_per_second: 10, webhooks: 100 }),
  ]
  steadyTables(steady)
  lateTable(await lateFanOuts(1_000_000))
}

function steadyTables(runs: readonly SteadyFigures[]): void {
  note(
    'Ten minutes of the same load, after the capacity that partitions retain for bursts is spent. Utilisation: the highest of',
    'a partition in a minute, which is above 100 % if the partition was less busy before. Hot: the partitions above the aim.',
    'First delivery: from the commit of the event to the first POST; a delivery without one counts as infinite. Second POSTs:',
    'the record of the first one was lost.',
  )
  table(
    ['payments/s', 'webhooks', 'partitions', 'WU/s', 'write %', 'aim', 'hot', 'read %', 'aim', 'index %', 'aim'],
    runs.map((run) => [
      run.load.payments_per_second,
      run.load.webhooks,
      run.partitions,
      run.write_units_per_second.toFixed(0),
      ...utilisation(run.write),
      run.hot,
      ...utilisation(run.read),
      ...utilisation(run.index),
    ]),
  )
  table(
    [
      'payments/s',
      'webhooks',
      'throttled writes',
      'aim',
      'reads',
      'conflicts',
      'failed payments',
      'fan-outs',
      'second POSTs',
      'first delivery p50 s',
      'p99 s',
      'aim',
    ],
    runs.map((run) => [
      run.load.payments_per_second,
      run.load.webhooks,
      run.counts.throttled_writes,
      mark({ value: run.counts.throttled_writes, at_most: 0 }),
      run.counts.throttled_reads,
      run.counts.conflicts,
      run.counts.failed_payments,
      run.counts.failed_fan_outs,
      run.counts.second_posts,
      (run.first_delivery.p50 / SECOND).toFixed(2),
      (run.first_delivery.p99 / SECOND).toFixed(2),
      mark({ value: run.first_delivery.p99 / SECOND, at_most: FIRST_DELIVERY_SECONDS_AT_MOST }),
    ]),
  )
  for (const { load, collections } of runs) {
    note(
      `The item collections with most writes at ${load.payments_per_second} payments a second and ${load.webhooks} webhooks. A partition has 1,000 WU a second.`,
    )
    table(
      ['item collection', 'needs WU/s', 'served WU/s'],
      collections.map(({ pk, needed, served }) => [pk, needed.toFixed(0), served.toFixed(0)]),
    )
  }
}

const percent = (part: number): string => (100 * part).toFixed(1)

const utilisation = (value: number): string[] => [
  percent(value),
  mark({ value: 100 * value, at_most: 100 * UTILISATION_AT_MOST }),
]

function lateTable(run: LateFigures): void {
  note(
    `${run.fan_outs.toLocaleString('en')} events of an hour without fan-out, each for one webhook. The sweep queues them, and prod's workers fan them out`,
    'and deliver them. Done: the fan-outs; the deliveries go on behind them, as many at once as prod allows. Returned: messages',
    'that failed and wait in the queue for six times the time of their worker. Write: of the limits of all partitions together,',
    'in the busiest minute. The run ends after 30 minutes; dead letters are open if messages are left then.',
  )
  const minutes = (at: number) => (Number.isFinite(at) ? (at / MINUTE).toFixed(1) : 'not done')
  const done = run.done_at ?? Number.POSITIVE_INFINITY
  table(
    [
      'fan-outs',
      'done',
      '99 % in minutes',
      'all',
      'aim',
      'dead letters',
      'aim',
      'returned',
      'conflicts',
      'throttled writes',
      'write %',
      'delivered',
      'until minute',
    ],
    [
      [
        run.fan_outs.toLocaleString('en'),
        run.done.toLocaleString('en'),
        minutes(run.nearly_done_at ?? Number.POSITIVE_INFINITY),
        minutes(done),
        mark({ value: done / MINUTE, at_most: LATE_MINUTES_AT_MOST }),
        run.dead,
        run.done_at === undefined && run.dead === 0 ? 'open' : mark({ value: run.dead, at_most: 0 }),
        run.returned,
        run.conflicts,
        run.throttled.write,
        percent(run.write),
        run.deliveries.toLocaleString('en'),
        minutes(run.ended_at),
      ],
    ],
  )
}
