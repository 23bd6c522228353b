import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { OwnServer } from '#infra/local/own-server.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((closed) => server.close(closed))
})

/** A server that listens on `host` and is configured to do so, with its port. */
async function listening(host: string): Promise<{ own: OwnServer; port: number }> {
  const server = createServer()
  servers.push(server)
  const own = new OwnServer()
  own.set(server, host)
  await new Promise<void>((ready) => server.listen(0, host, ready))
  return { own, port: (server.address() as AddressInfo).port }
}

const own_addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))

/** Addresses of this machine besides loopback, as a URL spells them. */
const outer_hosts = own_addresses
  .filter((address) => !address.startsWith('127.') && address !== '::1')
  .map((address) => (address.includes(':') ? `[${address}]` : address))

/** Names and addresses of other machines, and names that contain an IP address. */
const foreign = [
  'example.com',
  'localhost.example.com',
  'api.localhost',
  'localhost.',
  'notlocalhost',
  '127.0.0.1.nip.io',
  '7f000001.rbndr.us',
  'payments',
  'host.docker.internal',
  '8.8.8.8',
  '126.255.255.255',
  '128.0.0.1',
  '169.254.169.254',
  '[::]',
  '[::2]',
  '[::ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[2606:4700::1111]',
]

/** Invalid values of the `Host` header. */
const unreadable = [
  '',
  ' ',
  ':3000',
  'localhost:',
  'localhost:99999',
  'localhost:3000:3000',
  'user@localhost',
  'localhost@example.com',
  'localhost/',
  'localhost#a',
  'localhost?a',
  'localhost\\a',
  'localhost, example.com',
  'local%68ost',
  '[::1',
  '::1',
  '[::1]a',
  'http://localhost',
  'ｌｏｃａｌｈｏｓｔ',
]

const local = ['localhost', 'LOCALHOST', '127.0.0.1', '127.255.255.254', '127.1', '2130706433', '[::1]', '[0:0::1]']

describe('OwnServer.isNamedBy', () => {
  test.each(local)('accepts %s with any port and without a port', async (host) => {
    const { own, port } = await listening('127.0.0.1')
    for (const header of [host, `${host}:${port}`, `${host}:1`, `${host}:80`]) expect(own.isNamedBy(header)).toBe(true)
  })

  test.each([...foreign, '0.0.0.0', ...outer_hosts])('rejects %s if the server listens on loopback', async (host) => {
    const { own, port } = await listening('127.0.0.1')
    for (const header of [host, `${host}:${port}`]) expect(own.isNamedBy(header)).toBe(false)
  })

  test.each(unreadable)('rejects the invalid header %j', async (header) => {
    for (const host of ['127.0.0.1', '0.0.0.0']) expect((await listening(host)).own.isNamedBy(header)).toBe(false)
  })

  test('accepts only the names and addresses of this machine if the server listens on all interfaces', async () => {
    const { own } = await listening('0.0.0.0')
    for (const host of [...local, ...outer_hosts, '0.0.0.0', '0'])
      expect(own.isNamedBy(`${host}:3000`), host).toBe(true)
    for (const host of foreign) expect(own.isNamedBy(`${host}:3000`), host).toBe(false)
  })

  test('accepts the configured name in any case', () => {
    const own = new OwnServer()
    own.set(createServer(), 'Payments_1')
    expect(['payments_1:3000', 'PAYMENTS_1', 'payments_2', 'localhost'].map((header) => own.isNamedBy(header))).toEqual(
      [true, true, false, true],
    )
  })

  test.each([
    ['192.0.2.7', '192.0.2.7:3000'],
    ['::ffff', '[::ffff]:3000'],
    ['2001:DB8::0:7', '[2001:db8::7]'],
  ])('accepts the configured address %s as %s', (host, header) => {
    const own = new OwnServer()
    own.set(createServer(), host)
    expect(own.isNamedBy(header)).toBe(true)
    expect(own.isNamedBy('192.0.2.8:3000')).toBe(false)
  })
})

describe('OwnServer.isAt', () => {
  test('accepts loopback and the addresses of this machine, with the port of the server only', async () => {
    const { own, port } = await listening('127.0.0.1')
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1', ...own_addresses]) {
      expect(own.isAt(address, port), address).toBe(true)
      expect(own.isAt(address, port + 1), address).toBe(false)
    }
    for (const address of ['8.8.8.8', '10.255.255.254', '2606:4700::1111', 'example.com', ''])
      expect(own.isAt(address, port), address).toBe(false)
  })

  test('rejects loopback before the server listens and after it is closed', async () => {
    const { own, port } = await listening('127.0.0.1')
    await new Promise((closed) => servers.pop()!.close(closed))
    expect([own.isAt('127.0.0.1', port), new OwnServer().isAt('127.0.0.1', port)]).toEqual([false, false])
  })
})
