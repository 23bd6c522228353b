import { once } from 'node:events'
import { connect } from 'node:net'

/** The result of a load test. */
export interface Load {
  readonly per_second: number
  /** The time of each request, from sending the request to the last byte of its response. */
  readonly latencies_ms: readonly number[]
}

/** The bytes of an HTTP request over a keep-alive connection. */
export function requestBytes(method: string, path: string, headers: Record<string, string>, body = ''): Buffer {
  const lines = Object.entries({ host: 'localhost', ...headers, 'content-length': String(Buffer.byteLength(body)) })
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n${body}`,
  )
}

/**
 * Repeats a request over a number of connections for a time, one at a time on each connection. Throws if a response is
 * not 200. The client implements HTTP itself, so that it leaves most of the CPU time of two cores to the server.
 */
export async function loaded(port: number, request: Buffer, connections: number, milliseconds: number): Promise<Load> {
  const began = performance.now()
  const until = began + milliseconds
  const parts = await Promise.all(Array.from({ length: connections }, () => oneConnection(port, request, until)))
  const latencies_ms = parts.flat()
  return { per_second: (latencies_ms.length * 1000) / (performance.now() - began), latencies_ms }
}

async function oneConnection(port: number, request: Buffer, until: number): Promise<number[]> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const latencies: number[] = []
  try {
    await new Promise<void>((done, failed) => {
      let sent = performance.now()
      let answer = Buffer.alloc(0)
      socket.on('data', (chunk) => {
        answer = answer.length === 0 ? chunk : Buffer.concat([answer, chunk])
        const length = lengthOf(answer)
        if (length === undefined || answer.length < length) return
        if (answer.toString('latin1', 9, 12) !== '200') return failed(new Error(`the server answered ${answer}`))
        const now = performance.now()
        latencies.push(now - sent)
        if (now >= until) return done()
        answer = Buffer.alloc(0)
        sent = now
        socket.write(request)
      })
      socket.once('error', failed)
      socket.once('end', () => failed(new Error('the server closed the connection')))
      socket.write(request)
    })
  } finally {
    socket.destroy()
  }
  return latencies
}

/** The length of the whole response that these bytes begin, or undefined before its headers are complete. */
export function lengthOf(answer: Buffer): number | undefined {
  const end = answer.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(answer.toString('latin1', 0, end)) ?? []
  if (length === undefined) throw new Error('the answer has no Content-Length')
  return end + 4 + Number(length)
}
