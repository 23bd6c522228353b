import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { resolveHost } from '#shared/platform/dns.ts'

/** The answer of a name server: addresses (or none), an error, or nothing at all. */
type Said = readonly string[] | 'no such name' | 'failure' | 'silence'

const TYPES = { 1: 'A', 28: 'AAAA' } as const
const CODES = { failure: 2, 'no such name': 3 } as const

let server: Socket | undefined
afterEach(async () => {
  vi.useRealTimers()
  if (server) await new Promise<void>((closed) => server!.close(closed))
  server = undefined
})

/** Opens a name server on this machine. Returns its address and the questions that it was asked. */
async function openNameServer(says: { A: Said; AAAA: Said }): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = []
  const socket = createSocket('udp4', (message, from: RemoteInfo) => {
    const { name, type, end } = questionIn(message)
    asked.push(`${name.toLowerCase()} ${type}`)
    const said = says[type]
    if (said !== 'silence') socket.send(answerTo(message.subarray(0, end), said), from.port, from.address)
  })
  server = socket
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

function questionIn(message: Buffer): { name: string; type: 'A' | 'AAAA'; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: TYPES[message.readUInt16BE(at + 1) as 1 | 28], end: at + 5 }
}

/** A DNS response (RFC 1035): the header of the question, the question, and the answers. */
function answerTo(question: Buffer, said: Exclude<Said, 'silence'>): Buffer {
  const addresses = typeof said === 'string' ? [] : said
  const header = Buffer.from(question.subarray(0, 12))
  header.writeUInt16BE(0x8180 | (typeof said === 'string' ? CODES[said] : 0), 2)
  header.writeUInt16BE(addresses.length, 6)
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, question.subarray(12), ...addresses.map(record)])
}

function record(address: string): Buffer {
  const bytes = address.includes('.')
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(address.replaceAll(':', ''), 'hex')
  const head = Buffer.from([0xc0, 12, 0, bytes.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, bytes.length])
  return Buffer.concat([head, bytes])
}

const V6 = '2606:4700:0000:0000:0000:0000:0000:1111'

const ask = ({ address }: { address: string }, answer_ms = 60_000) =>
  resolveHost('receiver.example', { servers: [address], answer_ms })

describe('resolveHost', () => {
  test('returns the addresses of both families, and asks for each once', async () => {
    const names = await openNameServer({ A: ['192.0.2.1', '127.0.0.1'], AAAA: [V6] })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    expect(await ask(names)).toEqual(['192.0.2.1', '127.0.0.1', '2606:4700::1111'])
    expect(vi.getTimerCount()).toBe(0)
    expect(names.asked.sort()).toEqual(['receiver.example A', 'receiver.example AAAA'])
  })

  test.each<[string, Said, Said, string]>([
    ['the other has none', ['192.0.2.1'], [], '192.0.2.1'],
    ['the other has none', [], [V6], '2606:4700::1111'],
    ['the question for the other fails', ['192.0.2.1'], 'failure', '192.0.2.1'],
    ['the question for the other fails', 'no such name', [V6], '2606:4700::1111'],
  ])('returns the addresses of one family if %s: %j, %j', async (_, A, AAAA, address) => {
    expect(await ask(await openNameServer({ A, AAAA }))).toEqual([address])
  })

  test.each<[Said, Said]>([
    [[], []],
    ['no such name', 'no such name'],
    ['failure', 'failure'],
  ])('throws if the server answers %j and %j', async (A, AAAA) => {
    await expect(ask(await openNameServer({ A, AAAA }))).rejects.toThrow('no address')
  })

  test('returns the addresses of one family if the server is silent about the other', async () => {
    const names = await openNameServer({ A: ['192.0.2.1'], AAAA: 'silence' })
    expect(await ask(names, 1_500)).toEqual(['192.0.2.1'])
  })

  test('throws if the server is silent, and asks no more', async () => {
    const names = await openNameServer({ A: 'silence', AAAA: 'silence' })
    await expect(ask(names, 50)).rejects.toThrow('no address')
    await expect.poll(() => names.asked.sort()).toEqual(['receiver.example A', 'receiver.example AAAA'])
  })

  test.each(['', '.', 'a..b', `${'a'.repeat(64)}.example`, `${'a.'.repeat(200)}example`, 'in valid.example', '127.1'])(
    'throws for %j, which is not a valid host name',
    async (host) => {
      const { address } = await openNameServer({ A: 'no such name', AAAA: 'no such name' })
      await expect(resolveHost(host, { servers: [address], answer_ms: 60_000 })).rejects.toThrow('no address')
    },
  )

  test('asks the name servers only, and not the hosts file of this machine', async () => {
    const names = await openNameServer({ A: 'no such name', AAAA: 'no such name' })
    await expect(resolveHost('localhost', { servers: [names.address], answer_ms: 60_000 })).rejects.toThrow(
      'no address',
    )
    expect(names.asked.sort()).toEqual(['localhost A', 'localhost AAAA'])
  })
})
