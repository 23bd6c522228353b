/**
 * What deliveries are measured against: Node's `fetch`, which is undici, posting the same bytes to the same receivers, so
 * many at once, with nothing looked up, signed, checked or recorded. Prints how many a second it made.
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
