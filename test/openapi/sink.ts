import { Resolver } from 'node:dns/promises'
import { Socket } from 'node:net'

/*
 * Leads every outgoing connection of a process that loads this file first to the port SINK_PORT of this machine. Every
 * host name has one public address, so that the service tries to deliver to it.
 */
const port = Number(process.env.SINK_PORT)
if (!(port > 0)) throw new Error('SINK_PORT must be the port of the sink.')

const { connect } = Socket.prototype as unknown as { connect: (...args: unknown[]) => Socket }

function connectToSink(this: Socket, ...args: unknown[]): Socket {
  // Within Node, the first argument is a list of the options and the callback.
  const [first] = args
  const options = Array.isArray(first) ? first[0] : first
  if (options === null || typeof options !== 'object') throw new Error('A connection must be opened with options.')
  Object.assign(options, { host: '127.0.0.1', port, path: undefined, lookup: undefined })
  return connect.apply(this, args)
}

const resolve4 = async (): Promise<string[]> => ['192.0.78.9']
const resolve6 = async (): Promise<string[]> => []
Object.assign(Socket.prototype, { connect: connectToSink })
// The setters keep files that load later from replacing these functions.
for (const [name, resolve] of Object.entries({ resolve4, resolve6 }))
  Object.defineProperty(Resolver.prototype, name, { get: () => resolve, set: () => {} })
