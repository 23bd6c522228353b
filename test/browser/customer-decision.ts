/** What a page answered to a form that a customer sent from it; it is not followed. */
export interface Decided {
  readonly status: number
  readonly location: string | null
}

/** Sends a customer's decision from the page at this URL, as the page's own form does. */
export async function decideAt(url: string, decision: string): Promise<Decided> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { origin: new URL(url).origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ decision }).toString(),
    redirect: 'manual',
  })
  await response.text()
  return { status: response.status, location: response.headers.get('location') }
}
