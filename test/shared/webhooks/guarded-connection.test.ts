import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  Blocked,
  type ConnectionTarget,
  connectTo,
  NotResolved,
  TlsFailed,
} from '#shared/webhooks/guarded-connection.ts'
import {
  type Canary,
  led_astray,
  NOBODY,
  openCanary,
  this_host_urls,
  this_host_v6_urls,
  urlOf,
} from '#test/fixtures/ssrf-corpus.ts'

let canary: Canary
beforeAll(async () => {
  canary = await openCanary()
})
afterAll(() => canary.close())

let over: AbortController
const servers: Server[] = []
afterEach(async () => {
  over?.abort()
  for (const server of servers.splice(0)) await new Promise((closed) => server.close(closed))
})

const unresolvable: ConnectionTarget['resolve'] = async (host) => {
  throw new Error(`the test does not resolve ${host}`)
}

function connect(url: string, route: Partial<ConnectionTarget> = {}, connect_ms = 4_000): Promise<Socket> {
  over = new AbortController()
  const isOwnServer = () => false
  const whole: ConnectionTarget = {
    url: new URL(url),
    allow_loopback: false,
    isOwnServer,
    resolve: unresolvable,
    ...route,
  }
  return connectTo(whole, { connect_ms, signal: over.signal })
}

/** Opens a server on a free port of this host. It is closed after the test. */
async function serve(server: Server, host = '127.0.0.1'): Promise<number> {
  servers.push(server)
  server.listen(0, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

describe('connectTo a name', () => {
  test.each(Object.entries(led_astray))('rejects %s, which resolves to %j', async (name, addresses) => {
    const url = `http://${name}:${canary.port}/`
    await expect(connect(url, { resolve: async () => addresses })).rejects.toBeInstanceOf(Blocked)
    expect(canary.reached()).toBe(0)
  })

  test('connects to the address that it has checked, even if the name resolves differently afterwards', async () => {
    const answers = [[NOBODY], ['127.0.0.1']]
    const asked: string[] = []
    const resolve = async (host: string) => {
      asked.push(host)
      return answers.shift() ?? ['127.0.0.1']
    }
    const url = `http://rebinding.example:${canary.port}/`
    // It depends on the network whether this address is unreachable or silent.
    await expect(connect(url, { resolve }, 50)).rejects.not.toBeInstanceOf(Blocked)
    expect(asked).toEqual(['rebinding.example'])
    await expect(connect(url, { resolve })).rejects.toBeInstanceOf(Blocked)
    expect(canary.reached()).toBe(0)
  })

  test('resolves the name without its final dot, and never resolves localhost', async () => {
    const asked: string[] = []
    const resolve = async (host: string) => {
      asked.push(host)
      return ['127.0.0.1']
    }
    const rests = ['receiver.example.:PORT/', 'localhost:PORT/', 'localhost.:PORT/', 'api.localhost:PORT/']
    for (const rest of rests) await connect(urlOf('http', rest, canary), { resolve, allow_loopback: true })
    expect(asked).toEqual(['receiver.example'])
    await expect.poll(() => canary.reached()).toBe(4)
  })

  test('rejects a name that has no address, or cannot be resolved', async () => {
    const failing = async () => {
      throw new Error('SERVFAIL')
    }
    const url = 'http://unknown.example/'
    await expect(connect(url, { resolve: async () => [] })).rejects.toBeInstanceOf(NotResolved)
    await expect(connect(url, { resolve: failing })).rejects.toBeInstanceOf(NotResolved)
  })

  test('tries the next address if one refuses, or is silent for its share of the time', async () => {
    const listened = await serve(createServer())
    const made: Socket[] = []
    const note = (message: unknown) => {
      const { socket } = message as { socket: Socket }
      // This simulates a timeout. It depends on the network whether the address is unreachable or silent.
      if (made.push(socket) === 1) setImmediate(() => socket.emit('timeout'))
    }
    subscribe('net.client.socket', note)
    try {
      for (const unreachable of ['127.0.0.2', NOBODY]) {
        const resolve = async () => [unreachable, '127.0.0.1']
        const socket = await connect(`http://receiver.example:${listened}/`, { resolve, allow_loopback: true }, 4_000)
        expect(socket.remoteAddress).toBe('127.0.0.1')
        // Once the connection is open, it has no timeout.
        expect(made.splice(0).map(({ timeout }) => timeout)).toEqual([2_000, 0])
        over.abort()
      }
    } finally {
      unsubscribe('net.client.socket', note)
    }
  })

  test('tries at most two addresses of a family', async () => {
    const listened = await serve(createServer())
    const resolve = async () => ['127.0.0.2', '127.0.0.3', '127.0.0.1']
    const url = `http://receiver.example:${listened}/`
    await expect(connect(url, { resolve, allow_loopback: true })).rejects.toMatchObject({
      code: expect.stringMatching(/^E/),
    })
  })
})

describe('connectTo an address', () => {
  test.each(this_host_urls)('rejects this host: %j', async (rest) => {
    await expect(connect(urlOf('http', rest, canary))).rejects.toBeInstanceOf(Blocked)
    await expect(connect(urlOf('https', rest, canary))).rejects.toBeInstanceOf(Blocked)
    expect(canary.reached()).toBe(0)
  })

  test.each([
    ['http://127.77.77.77:8080/', 8080],
    ['http://127.77.77.77:0/', 0],
    ['http://127.77.77.77/', 80],
    ['https://127.77.77.77/', 443],
  ])('with %s uses port %i', async (url, port) => {
    // It does not matter whether a server listens there. An error does not contain port zero.
    const reached = await connect(url, { allow_loopback: true }).then(
      ({ remotePort }) => remotePort,
      (error) => (error instanceof TlsFailed ? port : (error.port ?? 0)),
    )
    expect(reached).toBe(port)
  })
})

describe("connectTo the service's own server", () => {
  const isOwnServer = (address: string, port: number) => port === canary.port && address !== '8.8.8.8'

  test.each([...this_host_urls, ...this_host_v6_urls])('rejects %j', async (rest) => {
    for (const scheme of ['http', 'https'] as const)
      await expect(connect(urlOf(scheme, rest, canary), { allow_loopback: true, isOwnServer })).rejects.toBeInstanceOf(
        Blocked,
      )
    expect(canary.reached()).toBe(0)
  })

  test.each([['127.0.0.1'], ['::1'], ['8.8.8.8', '127.0.0.1'], ['2606:4700::1111']])(
    'rejects a name that resolves to %s',
    async (...addresses) => {
      const url = `http://receiver.example:${canary.port}/`
      const resolve = async () => addresses
      await expect(connect(url, { resolve, allow_loopback: true, isOwnServer })).rejects.toBeInstanceOf(Blocked)
      expect(canary.reached()).toBe(0)
    },
  )

  test('connects to another port of this host', async () => {
    const port = await serve(createServer())
    const socket = await connect(`http://127.0.0.1:${port}/`, { allow_loopback: true, isOwnServer })
    expect(socket.remotePort).toBe(port)
  })

  test('closes the connection before it sends a byte, if only the open socket shows the address', async () => {
    const asked: [string, number][] = []
    const isOwnOnSecondCall = (...asking: [string, number]) => asked.push(asking) > 1
    const url = `http://127.0.0.1:${canary.port}/`
    await expect(connect(url, { allow_loopback: true, isOwnServer: isOwnOnSecondCall })).rejects.toBeInstanceOf(Blocked)
    expect(asked).toEqual([
      ['127.0.0.1', canary.port],
      ['127.0.0.1', canary.port],
    ])
    await expect.poll(() => canary.reached()).toBe(1)
  })
})

describe('connectTo with an abort', () => {
  test('closes the connection for the other side too, open or during the TLS handshake', async () => {
    for (const scheme of ['http', 'https']) {
      const closed = Promise.withResolvers<void>()
      const met = Promise.withResolvers<void>()
      const server = createServer((socket) => {
        socket.on('error', () => {}).on('close', () => closed.resolve())
        socket.resume()
        met.resolve()
      })
      const port = await serve(server)
      const connecting = connect(`${scheme}://127.0.0.1:${port}/`, { allow_loopback: true })
      if (scheme === 'http') await connecting
      await met.promise
      over.abort()
      if (scheme === 'https') await expect(connecting).rejects.toThrow()
      await closed.promise
    }
  })

  test('rejects at once while the name server is silent', async () => {
    const connecting = connect('http://slow.example/', { resolve: () => new Promise(() => {}) })
    over.abort(new Error('given up'))
    await expect(connecting).rejects.toThrow('given up')
  })
})

describe('connectTo with TLS', () => {
  const usual = getCACertificates('default')
  const file = (name: string) =>
    readFileSync(join(import.meta.dirname, `../../fixtures/certificates/${name}.pem`), 'utf8')
  beforeAll(() => setDefaultCACertificates([...usual, file('authority')]))
  afterAll(() => setDefaultCACertificates(usual))

  /** A server with a certificate, and the server names that its clients have sent. */
  async function serveTls(name: string) {
    const servernames: unknown[] = []
    const pem = file(name)
    const server = createTlsServer({ key: pem, cert: pem }, (socket) => {
      servernames.push(socket.servername)
      socket.on('error', () => {})
    })
    server.on('tlsClientError', () => {})
    return { port: await serve(server), servernames }
  }

  const local = { allow_loopback: true, resolve: async () => ['127.0.0.1'] }

  test.each([
    ['receiver.example', 'receiver.example'],
    ['RECEIVER.example.', 'receiver.example'],
    ['localhost', 'localhost'],
    ['127.0.0.1', false],
    ['0x7f.1', false],
  ])('connects to %s with the server name %s', async (host, name) => {
    const { port, servernames } = await serveTls('good')
    const socket = await connect(`https://${host}:${port}/`, local)
    expect(socket).toBeInstanceOf(TLSSocket)
    expect((socket as TLSSocket).authorized).toBe(true)
    await expect.poll(() => servernames).toEqual([name])
  })

  test.each([
    ['expired', 'receiver.example', 'CERT_HAS_EXPIRED'],
    ['other-name', 'receiver.example', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['other-name', '127.0.0.1', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['good', 'other.example', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['good', 'sub.receiver.example', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['good', '127.0.0.2', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['self-signed', 'receiver.example', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('rejects the certificate %s for %s', async (certificate, host, code) => {
    const pem = file(certificate)
    const server = createTlsServer({ key: pem, cert: pem }).on('tlsClientError', () => {})
    const port = await serve(server, '0.0.0.0')
    const error = await connect(`https://${host}:${port}/`, local).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(TlsFailed)
    expect(error.cause).toMatchObject({ code })
  })

  test('rejects an unknown authority, even if all checks are switched off for the process', async () => {
    const { port } = await serveTls('good')
    setDefaultCACertificates(usual)
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue()
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      await expect(connect(`https://receiver.example:${port}/`, local)).rejects.toBeInstanceOf(TlsFailed)
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      warned.mockRestore()
      setDefaultCACertificates([...usual, file('authority')])
    }
  })

  test.each<[string, (socket: Socket) => void]>([
    ['speaks plain HTTP', (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))],
    ['closes', (socket) => socket.once('data', () => socket.end())],
    ['resets', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['speaks garbage', (socket) => socket.resume().end(Buffer.alloc(5_000, 0x16))],
  ])('rejects a server that %s', async (_, act) => {
    const port = await serve(createServer((socket) => act(socket.on('error', () => {}))))
    await expect(connect(`https://127.0.0.1:${port}/`, local)).rejects.toBeInstanceOf(TlsFailed)
  })
})
