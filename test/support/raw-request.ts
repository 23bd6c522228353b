import { request as httpRequest } from 'node:http'
import type { Reply } from './api.ts'

/** A request as it goes over the wire: nothing of it is tidied up, as `fetch` would. */
export interface RawRequest {
  readonly method: string
  /** Everything behind the host; must be Latin-1 without blanks. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Sends it over a connection of its own. */
export function rawRequest(url: string, { method, path, headers, body }: RawRequest): Promise<Reply> {
  const { hostname, port } = new URL(url)
  // Node does not tell the length of what a GET or DELETE carries.
  const length = body === undefined ? undefined : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, method, path, headers: { ...length, ...headers }, agent: false },
      async (response) => {
        try {
          const chunks: Buffer[] = []
          for await (const chunk of response) chunks.push(chunk)
          const text = Buffer.concat(chunks).toString()
          const received = Object.entries(response.headers).map(([name, value]): [string, string] => [
            name,
            String(value),
          ])
          resolve({
            status: response.statusCode!,
            headers: new Headers(received),
            text,
            body: /^[{[]/.test(text) ? JSON.parse(text) : text,
          })
        } catch (error) {
          reject(error)
        }
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}
