import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as passes } from 'node:timers/promises'
import { machineTime } from '#test/fixtures/receivers.ts'
import { lengthOf } from './load.ts'

/** Requests at a fixed pace that does not depend on the server. */
export interface Pace {
  readonly count: number
  readonly per_second: number
  /** The bytes of the request with this number. */
  readonly request: (number: number) => Buffer
}

/** Sends the requests of a pace. Returns when each was answered, by `machineTime`. Throws if a response is not 200. */
export async function paced(port: number, { count, per_second, request }: Pace): Promise<number[]> {
  const idle = new Set<Socket>()
  const answered: number[] = []
  const ask = async (number: number) => {
    const [socket = await opened(port, idle)] = idle
    idle.delete(socket)
    await asked(socket, request(number))
    answered[number] = machineTime()
    idle.add(socket)
  }
  const asking: Promise<void>[] = []
  const began = performance.now()
  while (asking.length < count) {
    const due = Math.min(count, Math.floor(((performance.now() - began) * per_second) / 1000))
    while (asking.length < due) asking.push(ask(asking.length))
    await passes(1)
  }
  await Promise.all(asking)
  for (const socket of idle) socket.destroy()
  return answered
}

/** Sends numbered requests over so many connections, each after the response to the one before. Returns as `paced`. */
export async function atFullLoad(
  port: number,
  { count, request, connections }: Omit<Pace, 'per_second'> & { readonly connections: number },
): Promise<number[]> {
  const answered: number[] = []
  let next = 0
  const work = async () => {
    const socket = await opened(port)
    for (let number = next++; number < count; number = next++) {
      await asked(socket, request(number))
      answered[number] = machineTime()
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, work))
  return answered
}

/** Opens a keep-alive connection. It removes itself from `idle` when it is closed. */
export async function opened(port: number, idle: Set<Socket> = new Set()): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.once('close', () => idle.delete(socket))
  await once(socket, 'connect')
  return socket
}

/** Sends a request and resolves with its response. Rejects if the response is not 200. */
export function asked(socket: Socket, request: Buffer): Promise<void> {
  return new Promise((done, failed) => {
    let answer: Buffer = Buffer.alloc(0)
    const take = (chunk: Buffer) => {
      answer = answer.length === 0 ? chunk : Buffer.concat([answer, chunk])
      const length = lengthOf(answer)
      if (length === undefined || answer.length < length) return
      socket.off('data', take)
      socket.off('close', closed)
      if (answer.toString('latin1', 9, 12) === '200') done()
      else failed(new Error(`the server answered ${answer}`))
    }
    const closed = () => failed(new Error('the server closed the connection'))
    socket.on('data', take)
    socket.once('close', closed)
    socket.write(request)
  })
}
