import { BackgroundCalls } from './background-calls.ts'
import type { Cost } from './measured-platform.ts'
import { heading, note, table } from './report.ts'

/** Measures the platform calls that deliver one event, besides those of the request that emits it. */
export async function deliveryCostsBench(): Promise<void> {
  heading('Calls of the platform for one event and its deliveries')
  note(
    'Waits, calls, RU and WU as above. The event is payment.captured, and a webhook has a secret. The cost of the event itself',
    'is part of its request, which also writes the outbox row. The fan-out deletes that row.',
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
