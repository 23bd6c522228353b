/** The response to a customer's decision. Its redirect is not followed. */
export interface Decided {
  readonly status: number
  readonly location: string | null
}

/** Submits a customer's decision to the page at `url`, as the form of the page does. */
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
