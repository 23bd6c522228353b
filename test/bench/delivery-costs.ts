import { BackgroundCalls } from './background-calls.ts'
import type { Cost } from './measured-platform.ts'
import { heading, note, table } from './report.ts'

/** What telling receivers of one event asks of the platform, besides the request that made it. */
export async function deliveryCostsBench(): Promise<void> {
  heading('Calls of the platform for one event and its deliveries')
  note(
    'Waits, calls, RU and WU as above. The event is payment.captured; a webhook has a secret. What the event itself costs is',
    'in its request: the row that says that nobody was told yet is put there, and goes with the fan-out.',
  )
  const background = await BackgroundCalls.open()
  try {
    const { well, dead } = background.receivers
    const row = (what: string, { waits, calls, read_units, write_units }: Cost) => [
      what,
      waits,
      calls,
      read_units,
      write_units,
    ]
    const rows = [
      row('fan-out, no webhook', await background.fanOut([])),
      row('fan-out, 1 webhook of the payment', await background.fanOut([], well)),
      row('fan-out, 1 webhook', await background.fanOut([well])),
      row('a delivery, delivered at once', await background.attempt()),
      row('fan-out, 10 webhooks', await background.fanOut(Array(10).fill(well))),
      row('fan-out, 1 webhook', await background.fanOut([dead])),
      row('an attempt that fails', await background.attempt()),
      row('a retry that fails', await background.retry()),
    ]
    table(['what', 'waits', 'calls', 'RU', 'WU'], rows)
  } finally {
    await background.close()
  }
}
