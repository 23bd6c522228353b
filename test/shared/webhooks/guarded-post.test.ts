import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { guardedPost, type PostRequest } from '#shared/webhooks/guarded-post.ts'
import {
  type Canary,
  led_astray,
  NOBODY,
  openCanary,
  private_urls,
  this_host_urls,
  this_host_v6_urls,
  unreadable_urls,
  urlOf,
} from '#test/fixtures/ssrf-corpus.ts'

/** A receiver that sends arbitrary bytes. */
interface Peer {
  readonly port: number
  /** The bytes of the first request. */
  readonly request: Promise<string>
  readonly connections: () => number
  /** Resolves once the caller has closed the connection. */
  readonly left: Promise<void>
}

const servers: Server[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const server of servers.splice(0)) await new Promise((closed) => server.close(closed))
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** `answers` is called after the first bytes, `meets` on connection. */
async function openPeer(answers: (socket: Socket) => void, meets: (socket: Socket) => void = () => {}): Promise<Peer> {
  const request = Promise.withResolvers<string>()
  const left = Promise.withResolvers<void>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => {}).on('close', () => left.resolve())
    socket.on('data', () => {})
    socket.once('data', (bytes) => {
      request.resolve(bytes.toString('latin1'))
      answers(socket)
    })
    meets(socket)
  })
  return { port: await listen(server), request: request.promise, connections: () => connections, left: left.promise }
}

const saying = (...parts: (string | Buffer)[]) =>
  openPeer((socket) => {
    for (const part of parts) socket.write(part)
  })

const post = (url: string, changes: Partial<PostRequest> = {}) =>
  guardedPost({
    url,
    headers: { 'Content-Type': 'application/json', 'X-Service-ID': 'dlv_1' },
    body: '{"a":"あ"}',
    https_only: false,
    allow_loopback: true,
    isOwnServer: () => false,
    resolve: async () => ['127.0.0.1'],
    ...changes,
  })

const postTo = ({ port }: Peer, path = '/', changes: Partial<PostRequest> = {}) =>
  post(`http://127.0.0.1:${port}${path}`, changes)

const failed = (error: string) => ({ status_code: null, response_body: null, latency_ms: expect.any(Number), error })
const answered = (status_code: number, response_body: string) => ({
  status_code,
  response_body,
  latency_ms: expect.any(Number),
  error: null,
})

const head = (status: string, ...headers: string[]) => `HTTP/1.1 ${[status, ...headers].join('\r\n')}\r\n\r\n`
const withBody = (body: string | Buffer, ...headers: string[]) =>
  Buffer.concat([
    Buffer.from(head('200 OK', `Content-Length: ${Buffer.byteLength(body)}`, ...headers)),
    Buffer.from(body),
  ])

describe('guardedPost request', () => {
  test('is exactly the given request', async () => {
    const peer = await saying(withBody('ok'))
    expect(await postTo(peer, '/hook/%C3%A4?a=b&c=%20d#part')).toEqual(answered(200, 'ok'))
    expect(await peer.request).toBe(
      [
        'POST /hook/%C3%A4?a=b&c=%20d HTTP/1.1',
        `Host: 127.0.0.1:${peer.port}`,
        'Content-Type: application/json',
        'X-Service-ID: dlv_1',
        'Content-Length: 11',
        'Connection: close',
        '',
        Buffer.from('{"a":"あ"}').toString('latin1'),
      ].join('\r\n'),
    )
    await peer.left
  })

  test.each([
    ['user:word@', 'user:word'],
    ['user@', 'user:'],
    [':word@', ':word'],
    ['us%20er:p%C3%A4%3Ass@', 'us er:pä:ss'],
    ['%:a%zz%4@', '%:a%zz%4'],
  ])('contains the credentials %s of the URL', async (userinfo, credentials) => {
    const peer = await saying(withBody('ok'))
    expect(await post(`http://${userinfo}127.0.0.1:${peer.port}/`)).toEqual(answered(200, 'ok'))
    const sent = /^Authorization: Basic (.*)\r$/m.exec(await peer.request)![1]!
    expect(Buffer.from(sent, 'base64').toString()).toBe(credentials)
  })

  test('contains credentials that are not valid UTF-8', async () => {
    const peer = await saying(withBody('ok'))
    await post(`http://%FF:%00@127.0.0.1:${peer.port}/`)
    expect(await peer.request).toContain(
      `\r\nAuthorization: Basic ${Buffer.from([0xff, 0x3a, 0]).toString('base64')}\r\n`,
    )
  })

  test('is not sent if a header is invalid', async () => {
    const peer = await saying(withBody('ok'))
    for (const header of ['line\r\nInjected: yes', 'さくら', '\0'])
      expect(await postTo(peer, '/', { headers: { 'X-Service-ID': header } })).toEqual(failed('connection_failed'))
    await peer.left
    expect(await Promise.race([peer.request, 'nothing'])).toBe('nothing')
  })
})

describe('guardedPost outcome', () => {
  test.each([200, 201, 202, 204, 205, 299, 300, 304, 400, 410, 418, 500, 503, 599, 600, 999])(
    'has the status %i',
    async (status) => {
      const body = status === 204 || status === 304 ? '' : 'text'
      const peer = await saying(head(`${status} Whatever`, `Content-Length: ${body.length}`) + body)
      expect(await postTo(peer)).toEqual(answered(status, body))
      await peer.left
    },
  )

  test.each([301, 302, 303, 307, 308])('has the status %i of a redirect, which is not followed', async (status) => {
    const elsewhere = await saying(withBody('secret'))
    const location = `Location: http://127.0.0.1:${elsewhere.port}/`
    const peer = await saying(head(`${status} Moved`, location, `Refresh: 0; url=${location}`, 'Content-Length: 0'))
    expect(await postTo(peer)).toEqual(answered(status, ''))
    await peer.left
    expect([peer.connections(), elsewhere.connections()]).toEqual([1, 0])
  })

  test('has the status after informational responses, whose number is limited', async () => {
    const peer = await saying(head('100 Continue'), head('103 Early Hints', 'Link: </a>'), withBody('ok'))
    expect(await postTo(peer)).toEqual(answered(200, 'ok'))
    const endless = await openPeer((socket) => {
      const more = () => socket.write(head('103 Early Hints').repeat(100), () => !socket.destroyed && more())
      more()
    })
    expect(await postTo(endless)).toEqual(failed('invalid_response'))
    await endless.left
  })

  test.each([
    ['with the headers Connection and Upgrade', ['Connection: Upgrade', 'Upgrade: websocket']],
    ['with the header Upgrade only', ['Upgrade: websocket']],
    ['without headers', []],
  ])('is 101 without the following bytes if the receiver switches protocols %s', async (_, headers) => {
    const peer = await saying(head('101 Switching Protocols', ...headers), 'frames')
    expect(await postTo(peer)).toEqual(answered(101, ''))
    await peer.left
  })

  test.each([
    ['is short', 'short', 'short'],
    ['is empty', '', ''],
    ['has 1,024 bytes', 'x'.repeat(1_024), 'x'.repeat(1_024)],
    ['is longer', 'x'.repeat(1_025), 'x'.repeat(1_024)],
    ['has a character across the limit', `${'x'.repeat(1_023)}あ`, 'x'.repeat(1_023)],
    ['has a character right before the limit', `${'x'.repeat(1_021)}あい`, `${'x'.repeat(1_021)}あ`],
    ['breaks off in a character', Buffer.from('さくら').subarray(0, 7), 'さく'],
    [
      'is not text',
      Buffer.from([0x61, 0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x62]),
      'a\ufffd\ufffd\ufffd\ufffd\ufffd\ufffdb',
    ],
    ['has zeros', 'a\0b', 'a\0b'],
  ])('has the first 1,024 bytes as text if the body %s', async (_, body, text) => {
    const peer = await saying(withBody(body))
    const outcome = await postTo(peer)
    expect(outcome).toEqual(answered(200, text))
    expect(outcome.response_body!.isWellFormed()).toBe(true)
  })

  test('has the compressed bytes of a compressed body', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const outcome = await postTo(await saying(withBody(bomb, 'Content-Encoding: gzip')))
    expect(outcome).toMatchObject({ status_code: 200, error: null })
    expect(outcome.response_body!.slice(0, 3)).toBe('\x1f\ufffd\b')
    expect(outcome.response_body!.length).toBeLessThanOrEqual(1_024)
  })

  test('is known once 16 KiB have arrived, whether or not the body ends', async () => {
    let socket: Socket | undefined
    const peer = await openPeer((met) => {
      socket = met
      met.write(head('200 OK') + 'x'.repeat(16_383))
    })
    const outcome = postTo(peer)
    await peer.request
    await turns()
    expect(await Promise.race([outcome, 'reading'])).toBe('reading')
    socket!.write('x')
    expect(await outcome).toEqual(answered(200, 'x'.repeat(1_024)))
    await peer.left
  })

  test.each([
    ['by its length', head('200 OK', 'Content-Length: 999999999999')],
    ['without a length', head('200 OK')],
    ['in chunks', head('200 OK', 'Transfer-Encoding: chunked')],
  ])('is known for a body that never ends %s, and the connection is closed', async (how, beginning) => {
    const part = 'x'.repeat(50_000)
    const piece = how === 'in chunks' ? `c350\r\n${part}\r\n` : part
    const peer = await openPeer((socket) => {
      const more = () => socket.write(piece, () => !socket.destroyed && more())
      socket.write(beginning, more)
    })
    expect(await postTo(peer)).toEqual(answered(200, 'x'.repeat(1_024)))
    await peer.left
  })

  test.each<[string, (socket: Socket) => void]>([
    ['breaks off', (socket) => socket.end(`${head('200 OK', 'Content-Length: 100')}begun`)],
    [
      'has an invalid chunk',
      (socket) => socket.write(`${head('200 OK', 'Transfer-Encoding: chunked')}5\r\nbegun\r\nZ`),
    ],
    ['continues after its end', (socket) => socket.write(`${withBody('begun')}${head('500 Oh')}`)],
    [
      'is reset',
      (socket) => {
        socket.write(`${head('200 OK', 'Content-Length: 100')}begun`, async () => {
          await turns()
          socket.resetAndDestroy()
        })
      },
    ],
  ])('has the status and the received part of a response that %s', async (_, act) => {
    const peer = await openPeer(act)
    expect(await postTo(peer)).toEqual(answered(200, 'begun'))
    await peer.left
  })

  test('accepts unusual headers', async () => {
    const odd = Buffer.concat([
      Buffer.from('HTTP/1.1 200 \xff\xfe\r\nX-Odd: ', 'latin1'),
      Buffer.from([0xff, 0x80, 0x09]),
      Buffer.from('\r\nContent-Length: 2\r\nX-Odd: b\r\nSet-Cookie: a=b\r\n__proto__: x\r\n\r\nok'),
    ])
    expect(await postTo(await saying(odd))).toEqual(answered(200, 'ok'))
  })

  test.each<[string, string, (socket: Socket) => void]>([
    ['closes', 'connection_failed', (socket) => socket.end()],
    ['resets', 'connection_failed', (socket) => socket.resetAndDestroy()],
    ['closes within the head', 'connection_failed', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-')],
    ['speaks another protocol', 'invalid_response', (socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n')],
    ['speaks TLS', 'invalid_response', (socket) => socket.write(Buffer.from([0x15, 3, 3, 0, 2, 2, 40]))],
    ['sends garbage', 'invalid_response', (socket) => socket.write(Buffer.alloc(9_999, 0xa5))],
    ['has no status', 'invalid_response', (socket) => socket.write('HTTP/1.1 OK\r\n\r\n')],
    ['has a huge header', 'invalid_response', (socket) => socket.write(head('200 OK', `A: ${'x'.repeat(100_000)}`))],
    [
      'has no end of headers',
      'invalid_response',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(9_999)}`),
    ],
    ['has a zero in a header', 'invalid_response', (socket) => socket.write(head('200 OK', 'A: a\0b'))],
    [
      'has two lengths',
      'invalid_response',
      (socket) => socket.write(head('200 OK', 'Content-Length: 1', 'Content-Length: 2')),
    ],
  ])('is a failure if the receiver %s: %s', async (_, error, act) => {
    const peer = await openPeer(act)
    expect(await postTo(peer)).toEqual(failed(error))
    await peer.left
  })

  test('is a failure if the receiver resets at once, or refuses the connection', async () => {
    const peer = await openPeer(
      () => {},
      (socket) => socket.resetAndDestroy(),
    )
    expect(await postTo(peer)).toEqual(failed('connection_failed'))
    await new Promise((closed) => servers.pop()!.close(closed))
    expect(await postTo(peer)).toEqual(failed('connection_failed'))
  })
})

/** Lets this process read everything that has been written on this machine. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((next) => setImmediate(next))
}

describe('guardedPost timeout', () => {
  /** Expects that the call ends at that time, in milliseconds, and not before. Returns its outcome. */
  async function endsAt(milliseconds: number, call: Promise<unknown>): Promise<unknown> {
    await turns()
    await vi.advanceTimersByTimeAsync(milliseconds - 1)
    await turns()
    expect(await Promise.race([call, 'under way'])).toBe('under way')
    await vi.advanceTimersByTimeAsync(1)
    return call
  }

  const freeze = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

  test('is 5 s while the name servers are silent', async () => {
    freeze()
    const call = post('http://slow.example/', { resolve: () => new Promise(() => {}) })
    expect(await endsAt(5_000, call)).toEqual(failed('timeout'))
  })

  test('is 5 s for a TLS handshake without an answer', async () => {
    freeze()
    const peer = await openPeer(() => {})
    const call = post(`https://127.0.0.1:${peer.port}/`)
    await peer.request
    expect(await endsAt(5_000, call)).toEqual(failed('timeout'))
    await peer.left
  })

  test.each([
    ['sends nothing', ''],
    ['stops within the head', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['sends only an informational response', head('100 Continue')],
  ])('is 15 s if the receiver %s', async (_, said) => {
    freeze()
    const peer = await openPeer((socket) => socket.write(said))
    const call = postTo(peer)
    await peer.request
    expect(await endsAt(15_000, call)).toEqual(failed('timeout'))
    await peer.left
  })

  test.each([
    ['with its length', head('200 OK', 'Content-Length: 999')],
    ['in chunks', head('200 OK', 'Transfer-Encoding: chunked')],
    ['without an end', head('200 OK')],
  ])('is 15 s with the status and the received part of a slow body %s', async (how, beginning) => {
    freeze()
    const peer = await openPeer((socket) => socket.write(beginning + (how === 'in chunks' ? '3\r\nabc\r\n' : 'abc')))
    const call = postTo(peer)
    await peer.request
    expect(await endsAt(15_000, call)).toEqual(answered(200, 'abc'))
    await peer.left
  })

  test('leaves no timer behind', async () => {
    freeze()
    const peer = await saying(withBody('ok'))
    await postTo(peer)
    expect(vi.getTimerCount()).toBe(0)
    await post('http://10.0.0.1/')
    await post('http://unknown.example/', { resolve: async () => [] })
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('guardedPost to a forbidden address', () => {
  let canary: Canary
  beforeAll(async () => {
    canary = await openCanary()
  })
  afterAll(() => canary.close())

  const guarded = { allow_loopback: false, isOwnServer: () => false }
  const urls = (rests: readonly string[]) =>
    rests.flatMap((rest) => [urlOf('http', rest, canary), urlOf('https', rest, canary)])

  test.each([...this_host_urls, ...this_host_v6_urls, ...private_urls])('is blocked: %j', async (rest) => {
    for (const url of urls([rest])) expect(await post(url, guarded), url).toEqual(failed('blocked_address'))
    expect(canary.reached()).toBe(0)
  })

  test.each(private_urls)('is blocked in a local run too: %j', async (rest) => {
    for (const url of urls([rest])) expect(await post(url), url).toEqual(failed('blocked_address'))
  })

  test.each(unreadable_urls)('fails for the unreadable URL %j', async (rest) => {
    for (const url of urls([rest]))
      expect((await post(url, guarded)).error, url).toMatch(/blocked_address|connection_f/)
    expect(canary.reached()).toBe(0)
  })

  test.each(Object.entries(led_astray))('is blocked for %s, which resolves to %j', async (name, addresses) => {
    for (const url of urls([`${name}:PORT/`, `user@${name}.:PORT/`]))
      expect(await post(url, { ...guarded, resolve: async () => addresses }), url).toEqual(failed('blocked_address'))
    expect(canary.reached()).toBe(0)
  })

  test('is blocked if the name resolves differently the second time', async () => {
    const answers = [[NOBODY], ['127.0.0.1']]
    const changing = { ...guarded, resolve: async () => answers.shift()! }
    const [url] = urls(['rebinding.example:PORT/'])
    const limits = { connect_ms: 50, total_ms: 50 }
    const request = { url: url!, headers: {}, body: '', https_only: false, ...changing }
    // It depends on the network whether this address is unreachable or silent.
    expect((await guardedPost(request, limits)).error).toMatch(/connection_failed|timeout/)
    expect(answers).toEqual([['127.0.0.1']])
    expect(await guardedPost(request)).toEqual(failed('blocked_address'))
    expect(canary.reached()).toBe(0)
  })

  test.each(this_host_urls)('reaches the canary if loopback is allowed: %j', async (rest) => {
    const [plain, secure] = urls([rest])
    expect(await post(plain!)).toEqual(answered(200, 'secret'))
    expect(canary.reached()).toBe(1)
    expect(await post(secure!)).toEqual(failed('tls_failed'))
    expect(canary.reached()).toBe(1)
  })

  test('reaches the canary over IPv6, if available, if loopback is allowed', async () => {
    for (const rest of canary.has_v6 ? this_host_v6_urls : []) {
      expect(await post(urlOf('http', rest, canary)), rest).toEqual(answered(200, 'secret'))
      expect(canary.reached()).toBe(1)
    }
  })

  test('is blocked without TLS in live mode, and with other protocols', async () => {
    const live = { https_only: true }
    expect(await post(`http://127.0.0.1:${canary.port}/`, live)).toEqual(failed('blocked_address'))
    for (const scheme of ['ftp', 'ws', 'wss', 'gopher'])
      expect(await post(`${scheme}://127.0.0.1:${canary.port}/`)).toEqual(failed('blocked_address'))
    expect(canary.reached()).toBe(0)
  })

  test('fails with name_not_resolved if the name has no address', async () => {
    const failing = async () => {
      throw new Error('SERVFAIL')
    }
    for (const resolve of [failing, async () => []])
      expect(await post('http://unknown.example/', { resolve })).toEqual(failed('name_not_resolved'))
  })
})

describe('guardedPost with TLS', () => {
  const usual = getCACertificates('default')
  const file = (name: string) =>
    readFileSync(join(import.meta.dirname, `../../fixtures/certificates/${name}.pem`), 'utf8')
  beforeAll(() => setDefaultCACertificates([...usual, file('authority')]))
  afterAll(() => setDefaultCACertificates(usual))

  async function openSecure(name: string) {
    const came: { host: string | undefined; servername: unknown; body: string }[] = []
    const pem = file(name)
    const server = createHttpsServer({ key: pem, cert: pem }, async (request: IncomingMessage, response) => {
      const { headers, socket } = request
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { servername } = socket as TLSSocket & { servername: unknown }
      came.push({ host: headers.host, servername, body: Buffer.concat(chunks).toString() })
      response.end('ok')
    })
    return { port: await listen(server), came }
  }

  test('sends the host name in the TLS handshake and in the Host header', async () => {
    const { port, came } = await openSecure('good')
    const outcome = await post(`https://Receiver.Example:${port}/hook`, { https_only: true })
    expect(outcome).toEqual(answered(200, 'ok'))
    const host = `receiver.example:${port}`
    expect(came).toEqual([{ host, servername: 'receiver.example', body: '{"a":"あ"}' }])
  })

  test.each(['expired', 'other-name', 'self-signed'])(
    'sends nothing to a host whose certificate is %s',
    async (name) => {
      const { port, came } = await openSecure(name)
      expect(await post(`https://receiver.example:${port}/`)).toEqual(failed('tls_failed'))
      expect(came).toEqual([])
    },
  )

  test('fails on plain HTTP, and on TLS that breaks after the handshake', async () => {
    const plain = await saying(withBody('ok'))
    expect(await post(`https://127.0.0.1:${plain.port}/`)).toEqual(failed('tls_failed'))
    await plain.left
    const pem = file('good')
    const server = createHttpsServer({ key: pem, cert: pem, requestCert: true, ca: pem, rejectUnauthorized: true })
    const port = await listen(server)
    expect(await post(`https://receiver.example:${port}/`)).toEqual(failed('tls_failed'))
  })
})

test('guardedPost leaves no connection open, after success and after failure', async () => {
  const open = () =>
    process.getActiveResourcesInfo().filter((kind) => ['TCPSocketWrap', 'TLSWrap', 'GetAddrInfoReqWrap'].includes(kind))
  await expect.poll(open).toEqual([])
  const well = await saying(withBody('ok'))
  const endless = await saying(head('200 OK') + 'x'.repeat(100_000))
  const upgrading = await saying(head('101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: h2c'))
  const broken = await saying('garbage')
  for (const peer of [well, endless, upgrading, broken]) {
    await postTo(peer)
    await postTo(peer, '/', { headers: { 'X-Service-ID': '\0' } })
    await post(`http://%zz@127.0.0.1:${peer.port}/`)
    await post(`https://127.0.0.1:${peer.port}/`)
  }
  await expect.poll(open).toEqual([])
})
