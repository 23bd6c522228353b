import { createServer, type Server, type Socket } from 'node:net'

/**
 * What somebody who has a webhook made writes to reach what only this host can: every spelling of an address, and names
 * that lead there. URLs have no scheme here: it depends on the mode; `PORT` stands for the canary's port.
 */

/** This host: the canary hears all of these when nobody guards it. */
export const this_host_urls: readonly string[] = [
  '127.0.0.1:PORT/',
  '127.1:PORT/',
  '127.0.1:PORT/',
  '2130706433:PORT/',
  '0x7f000001:PORT/',
  '0X7F000001:PORT/',
  '0x7f.1:PORT/',
  '0x7f.0x0.0x0.0x1:PORT/',
  '0177.0.0.1:PORT/',
  '017700000001:PORT/',
  '00000177.0.0.01:PORT/',
  '127.000.000.001:PORT/',
  '127.0.0.1.:PORT/',
  '127.0.0.1..:PORT/',
  '0x7f000001.:PORT/',
  '127。0．0｡1:PORT/',
  '１２７.０.０.１:PORT/',
  '①②⑦.⓪.⓪.①:PORT/',
  '𝟏𝟐𝟕.𝟎.𝟎.𝟏:PORT/',
  '\u200b127.0.0.1:PORT/',
  '127.0\u00ad.0.1:PORT/',
  '%31%32%37.0.0.1:PORT/',
  '127%2e0%2E0%2e1:PORT/',
  '%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1:PORT/',
  '/127.0.0.1:PORT/',
  '8.8.8.8@127.0.0.1:PORT/',
  '8.8.8.8:80@127.0.0.1:PORT/',
  'user:password@127.1:PORT/',
  'example.com%2f@2130706433:PORT/',
  'a%zz:%@127.0.0.1:PORT/',
  '@127.0.0.1:PORT/',
  '127.0.0.1:PORT\\@8.8.8.8/',
  '127.0.0.1:PORT#@8.8.8.8/',
  '127.0.0.1:PORT?@8.8.8.8/',
  '127.0.0.1:0PORT/',
  'localhost:PORT/',
  'LOCALHOST:PORT/',
  'localhost.:PORT/',
  'localhost..:PORT/',
  'api.localhost:PORT/',
  'ｌｏｃａｌｈｏｓｔ:PORT/',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/',
  'loc\u00adalhost:PORT/',
  'LOCALHOST。:PORT/',
  'local%68ost:PORT/',
]

/** This host by its IPv6 address, where it has one. */
export const this_host_v6_urls: readonly string[] = [
  '[::1]:PORT/',
  '[0:0:0:0:0:0:0:1]:PORT/',
  '[0000:0000:0000:0000:0000:0000:0000:0001]:PORT/',
  '[::0.0.0.1]:PORT/',
  'user@[::1]:PORT/',
]

/** The IPv4 addresses of a table of IPv6 addresses that hold one: this host, a private one, metadata and a public one. */
const embedded = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '8.8.8.8'] as const

/** Every form in which an IPv6 address holds an IPv4 address, dotted or in hexadecimal digits. */
export const ipv4_in_ipv6: readonly string[] = embedded.flatMap((address) => {
  const bytes = address.split('.').map(Number)
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const [high, low] = [hex.slice(0, 4), hex.slice(4)]
  const inverted = bytes.map((byte) => (byte ^ 0xff).toString(16).padStart(2, '0')).join('')
  return [
    `::ffff:${address}`,
    `::FFFF:${high}:${low}`.toUpperCase(),
    `0:0:0:0:0:ffff:${high}:${low}`,
    `0000:0000:0000:0000:0000:ffff:${address}`,
    `::${address}`,
    `::${high}:${low}`,
    `::ffff:0:${address}`,
    `::ffff:0:${high}:${low}`,
    `64:ff9b::${address}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b:1::${high}:${low}`,
    `64:ff9b:1:${high}:${low.slice(0, 2)}:${low.slice(2)}00::`,
    `2002:${high}:${low}::`,
    `2002:${high}:${low}::${high}:${low}`,
    `2001:0:${high}:${low}::`,
    `2001:0:808:808:0:0:${inverted.slice(0, 4)}:${inverted.slice(4)}`,
    `fe80::5efe:${address}`,
    `fe80::200:5efe:${high}:${low}`,
  ]
})

/** What no webhook may lead to, on a local run neither. */
export const private_urls: readonly string[] = [
  ...ipv4_in_ipv6.map((address) => `[${address}]:PORT/`),
  '0:PORT/',
  '0.0.0.0:PORT/',
  '0x0:PORT/',
  '0.1.2.3:PORT/',
  '10.0.0.1:PORT/',
  '167772161:PORT/',
  '100.64.0.1:PORT/',
  '100.100.100.200/latest/meta-data/',
  '168.63.129.16/machine',
  '169.254.169.254/latest/meta-data/',
  '169.254.170.2/v2/credentials',
  '169.254.100.1:9001/2018-06-01/runtime/invocation/next',
  '2852039166/latest/meta-data/',
  '0xa9fea9fe/latest/meta-data/',
  '0251.0376.0251.0376/latest/meta-data/',
  '169.16689662/latest/meta-data/',
  '172.16.0.1:PORT/',
  '172.31.255.255:PORT/',
  '192.0.0.192:PORT/',
  '192.0.2.1:PORT/',
  '192.88.99.1:PORT/',
  '192.168.0.1:PORT/',
  '198.18.0.1:PORT/',
  '198.19.255.255:PORT/',
  '198.51.100.1:PORT/',
  '203.0.113.1:PORT/',
  '224.0.0.1:PORT/',
  '239.255.255.250:PORT/',
  '240.0.0.1:PORT/',
  '255.255.255.255:PORT/',
  '4294967295:PORT/',
  '[::]:PORT/',
  '[::127.0.0.1]:PORT/',
  '[::7f00:1]:PORT/',
  '[::8.8.8.8]:PORT/',
  '[::ffff:0.0.0.0]:PORT/',
  '[::ffff:10.0.0.1]:PORT/',
  '[::ffff:169.254.169.254]/latest/meta-data/',
  '[::ffff:a9fe:a9fe]/latest/meta-data/',
  '[::ffff:0:127.0.0.1]:PORT/',
  '[64:ff9b::127.0.0.1]:PORT/',
  '[64:ff9b::7f00:1]:PORT/',
  '[64:ff9b::a9fe:a9fe]/latest/meta-data/',
  '[64:ff9b:1::7f00:1]:PORT/',
  '[64:ff9b:1:ffff::1]:PORT/',
  '[100::1]:PORT/',
  '[2001::1]:PORT/',
  '[2001:0:7f00:1::]:PORT/',
  '[2001:10::1]:PORT/',
  '[2001:20::1]:PORT/',
  '[2001:db8::1]:PORT/',
  '[2002:7f00:1::]:PORT/',
  '[2002:7f00:1::1]:PORT/',
  '[2002:a9fe:a9fe::]/latest/meta-data/',
  '[3fff::1]:PORT/',
  '[5f00::1]:PORT/',
  '[fc00::1]:PORT/',
  '[fd00:ec2::254]/latest/meta-data/',
  '[fd00:ec2::23]/v1/credentials',
  '[fe80::1]:PORT/',
  '[fe80::a9fe:a9fe]/latest/meta-data/',
  '[fec0::1]:PORT/',
  '[ff02::1]:PORT/',
  '[ff0e::1]:PORT/',
]

/** What is not taken for a URL at all, whatever somebody else might read into it. */
export const unreadable_urls: readonly string[] = [
  '127.0.0.1%00:PORT/',
  '127.0.0.1%2f:PORT/',
  '127.0.0.1%20:PORT/',
  '127.0.0.1 :PORT/',
  '127.0.\t0.1:PORT/',
  '\n127.0.0.1:PORT/',
  '127.0.0.1\r\nHost: x:PORT/',
  '127.0.0.256:PORT/',
  '127.0.0.0.1:PORT/',
  '127.0.0.08:PORT/',
  '4294967296:PORT/',
  '0x1ffffffff:PORT/',
  '٠.0.0.1:PORT/',
  '127.0.0.1\u200d:PORT/',
  '[::1%25lo]:PORT/',
  '[::1%lo]:PORT/',
  '[fe80::1%25eth0]:PORT/',
  '[::ffff:127.1]:PORT/',
  '[::1].:PORT/',
  '[::1:PORT/',
  '::1:PORT/',
  '[127.0.0.1]:PORT/',
  'localhost:PORT%40/',
  '127.0.0.1:70000/',
]

/** Names that anybody may register, and what they lead to. One address that is not public is enough to refuse a call. */
export const led_astray: Readonly<Record<string, readonly string[]>> = {
  'loopback.example': ['127.0.0.1'],
  'loopback-v6.example': ['::1'],
  'whole-loopback.example': ['127.9.9.9'],
  'any.example': ['0.0.0.0'],
  'any-v6.example': ['::'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'mapped-in-hex.example': ['::ffff:7f00:1'],
  'compatible.example': ['::127.0.0.1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'local-nat64.example': ['64:ff9b:1::7f00:1'],
  '6to4.example': ['2002:7f00:1::1'],
  'teredo.example': ['2001:0:7f00:1::'],
  'metadata.example': ['169.254.169.254'],
  'metadata-v6.example': ['fd00:ec2::254'],
  'link.example': ['fe80::1'],
  'zone.example': ['fe80::1%lo'],
  'loopback-zone.example': ['::1%lo'],
  'public-zone.example': ['2606:4700::1%lo'],
  'carrier.example': ['100.64.0.1'],
  'private.example': ['10.0.0.1'],
  'broadcast.example': ['255.255.255.255'],
  'multicast.example': ['224.0.0.1'],
  'public-first.example': ['8.8.8.8', '127.0.0.1'],
  'public-last.example': ['127.0.0.1', '8.8.8.8'],
  'among-many.example': ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '::1', '9.9.9.9'],
  'public-and-metadata.example': ['2606:4700::1111', '169.254.169.254'],
  'spelt-in-octal.example': ['0177.0.0.1'],
  'spelt-short.example': ['127.1'],
  'spelt-in-decimal.example': ['2130706433'],
  'name-for-an-address.example': ['localhost'],
  'nothing-for-an-address.example': [''],
}

/** Public by every rule, and nobody's: a connection to it comes to nothing. */
export const NOBODY = '3000::1'

/** Puts a scheme before a URL of the corpus and the canary's port into it. */
export const urlOf = (scheme: 'http' | 'https', rest: string, { port }: Canary): string =>
  `${scheme}://${rest.replace('PORT', String(port))}`

/** A server on this host, by IPv4 and where there is one by IPv6, that counts who gets through to it. */
export interface Canary {
  readonly port: number
  readonly has_v6: boolean
  /** Connections since it was asked last. */
  reached(): number
  close(): Promise<void>
}

export async function openCanary(): Promise<Canary> {
  const open = new Set<Socket>()
  let reached = 0
  const hear = (socket: Socket) => {
    reached += 1
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret'))
  }
  const server = await listening(createServer(hear), '127.0.0.1', 0)
  const { port } = server!.address() as { port: number }
  const server_v6 = await listening(createServer(hear), '::1', port)
  return {
    port,
    has_v6: server_v6 !== undefined,
    reached() {
      const count = reached
      reached = 0
      return count
    },
    async close() {
      for (const socket of open) socket.destroy()
      for (const one of [server, server_v6]) await new Promise((closed) => (one ? one.close(closed) : closed(null)))
    },
  }
}

/** The server once it listens; undefined when this machine has no such address, or another one listens there. */
function listening(server: Server, host: string, port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen({ host, port }, () => resolve(server))
  })
}
