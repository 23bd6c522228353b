/**
 * The comparison for deliveries: Node's `fetch` (undici) posts the same bytes to the same receivers with the same
 * concurrency, without reads, signatures, checks or writes. Prints its POSTs per second.
 */
const { URLS = '[]', BODY = '', COUNT = '0', WARM_UP = '0', AT_ONCE = '1' } = process.env
const urls: string[] = JSON.parse(URLS)

async function post(count: number): Promise<number> {
  const began = performance.now()
  let next = 0
  const poster = async () => {
    while (next < count) {
      const url = urls[next++ % urls.length]!
      const response = await fetch(url, { method: 'POST', body: BODY, headers: { 'content-type': 'application/json' } })
      await response.text()
    }
  }
  await Promise.all(Array.from({ length: Number(AT_ONCE) }, poster))
  return (count * 1000) / (performance.now() - began)
}

await post(Number(WARM_UP))
console.log(await post(Number(COUNT)))
