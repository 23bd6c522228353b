import { type Health, openReceivers } from '#test/fixtures/receivers.ts'

/**
 * Runs receivers in a process of their own. The succeeding ones record when the first POST of each delivery arrives.
 */

/** The payment number of a POST and the time of its arrival by `machineTime`. */
export type Noted = readonly [number: number, at: number]

const NUMBER = /"external_order_num":"(\d+)"/

let noted: Noted[] = []

process.on('message', async (message: { open: Health[] } | 'take') => {
  if (message === 'take') {
    process.send!({ noted })
    noted = []
    return
  }
  const seen = new Set<string>()
  const { urls } = await openReceivers(message.open, ({ url, id, body, at }) => {
    const [, number] = NUMBER.exec(body) ?? []
    if (!well.has(url) || number === undefined || seen.has(id)) return
    seen.add(id)
    noted.push([Number(number), at])
  })
  const well = new Set(urls.filter((_, index) => message.open[index] === 'well'))
  process.send!({ urls })
})
process.on('disconnect', () => process.exit())
