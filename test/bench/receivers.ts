import { type Health, openReceivers } from '#test/fixtures/receivers.ts'

/** Receivers in a process of their own, which notes when the first POST of each delivery came to those that are well. */

/** What the bench is told of a POST: the number of the payment in the load, and when it came by `machineTime`. */
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
