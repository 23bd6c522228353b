import type { HTTPRequest } from 'puppeteer-core'
import type { Tab } from './browser-tab.ts'

/**
 * What happens to a request of a page. `lost`: it never reaches the service. `answer lost`: the service handles it, and
 * the connection breaks before the response. A promise: the request waits for it.
 */
export type Fate = End | Promise<End>

type End =
  | 'passes'
  | 'lost'
  | 'answer lost'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

/** The network between a tab and the service. */
export interface Network {
  /** Decides what happens to each further request. */
  fateOf: (request: HTTPRequest) => Fate
  /** The waits of the page's script of a second or more, in milliseconds. They end at once, so that no test sleeps. */
  waits(): Promise<number[]>
  close(): Promise<void>
}

/** Longer than every wait of the script that tests skip. The script gives up a request after such a time. */
const TIMEOUT_MS = 45_000

const NO_WAITS = `
const wait = setTimeout
window.waits = []
window.setTimeout = (act, ms = 0) => {
  if (ms < 1000 || ms === ${TIMEOUT_MS}) return wait(act, ms)
  window.waits.push(ms)
  return wait(act)
}`

/** Puts a network with faults between the tab and the service. It begins without faults. */
export async function useNetwork({ page }: Tab): Promise<Network> {
  const network: Network = {
    fateOf: () => 'passes',
    waits: async () => (await page.evaluate('window.waits')) as number[],
    async close() {
      page.off('request', decide)
      await page.setRequestInterception(false)
      await page.removeScriptToEvaluateOnNewDocument(identifier)
    },
  }
  const decide = (request: HTTPRequest) => void apply(request, network.fateOf(request)).catch(() => undefined)
  const { identifier } = await page.evaluateOnNewDocument(NO_WAITS)
  await page.setRequestInterception(true)
  page.on('request', decide)
  return network
}

async function apply(request: HTTPRequest, decided: Fate): Promise<void> {
  const fate = await decided
  if (fate === 'passes') return request.continue()
  if (fate === 'lost') return request.abort('connectionreset')
  if (fate === 'answer lost') {
    await handled(request)
    return request.abort('connectionreset')
  }
  return request.respond({ body: '', ...fate })
}

/** Sends the request to the service. */
async function handled(request: HTTPRequest): Promise<void> {
  const url = request.url()
  const headers = { ...request.headers(), origin: new URL(url).origin }
  await fetch(url, { method: request.method(), headers, body: request.postData() ?? null, redirect: 'manual' })
}
