import type { Context } from 'aws-lambda'
import { handler as deliver } from '#functions/background/deliver.ts'
import { handler as fanOut } from '#functions/background/fan-out.ts'
import { DeliveryPool } from '#infra/local/delivery-pool.ts'
import { card, openApi } from '#test/fixtures/api.ts'

/**
 * The delivery worker without other load. Emits events and fans them out, then makes all their deliveries with the
 * concurrency of the local service. Prints its deliveries per second, from the first call to the last record.
 */
const { URLS = '[]', COUNT = '0', WARM_UP = '0' } = process.env
const urls: string[] = JSON.parse(URLS)

const api = await openApi()
const { stream, queues, clock } = api.platform
const context = { platform: api.platform } as unknown as Context
const pool = new DeliveryPool(queues.deliveries, clock, async (message) => {
  await deliver({ Records: [{ messageId: '0', body: JSON.stringify(message) }] as never }, context)
  return true
})

for (const url of urls)
  await api.request('POST /webhooks', { json: { url, event_list: ['payment.captured'], secret_token: 'a secret' } })
await delivered(Number(WARM_UP))
console.log(await delivered(Number(COUNT)))
await api.close()

async function delivered(count: number): Promise<number> {
  for (let left = count; left > 0; left -= urls.length)
    await api.request('POST /payments', { json: { amount: 1000, currency: 'JPY', payment_details: card() } })
  for (let Records = stream.take(); Records.length > 0; Records = stream.take()) await fanOut({ Records }, context)
  const began = performance.now()
  pool.start()
  await pool.idle()
  return (count * 1000) / (performance.now() - began)
}
