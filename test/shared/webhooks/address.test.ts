import { describe, expect, test } from 'vitest'
import type { Refusal } from '#shared/domain/errors.ts'
import type { Mode } from '#shared/domain/payment.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { hostOf, isLocalName, isLoopback, isPublic, refuseUnsafeUrl } from '#shared/webhooks/address.ts'
import { ipv4_in_ipv6, private_urls, this_host_urls, this_host_v6_urls } from '#test/fixtures/ssrf-corpus.ts'

/** The port of the service's own server. */
const OWN_PORT = 3000

const asked = (url: string, mode: Mode, loopback_webhooks = false): string => {
  try {
    const platform = { loopback_webhooks, isOwnServer: (_: string, port: number) => port === OWN_PORT }
    refuseUnsafeUrl({ mode, platform } as unknown as UnitOfWork, url, 'url')
    return 'taken'
  } catch (error) {
    return `${(error as Refusal).code} ${(error as Refusal).param}`
  }
}

const withPort = (rest: string) => rest.replace('PORT', '8080')
const this_host = [...this_host_urls, ...this_host_v6_urls, '127.255.255.254/', 'a.b.localhost/'].map(withPort)
const private_hosts = private_urls.map(withPort)

describe('refuseUnsafeUrl', () => {
  test.each([...this_host, ...private_hosts])('refuses %j', (rest) => {
    expect(asked(`http://${rest}`, 'test')).toBe('invalid_parameter url')
    expect(asked(`https://${rest}`, 'live')).toBe('invalid_parameter url')
  })

  test.each([
    'example.com/hook',
    '8.8.8.8/',
    '[2606:4700::1111]/',
    '127.0.0.1.nip.io/',
    'localhost.example.com/',
    'notlocalhost/',
    '127.0.0.1@example.com/',
    'example.com/?to=http://127.0.0.1/',
  ])('accepts %s, because names are resolved when they are called', (rest) => {
    expect(asked(`https://${rest}`, 'live')).toBe('taken')
    expect(asked(`http://${rest}`, 'test')).toBe('taken')
  })

  test('accepts http in test mode only', () => {
    expect(asked('http://example.com/', 'live')).toBe('invalid_parameter url')
  })

  test.each(this_host)('in a local run accepts %j, in test mode only', (rest) => {
    expect(asked(`http://${rest}`, 'test', true)).toBe('taken')
    expect(asked(`https://${rest}`, 'live', true)).toBe('invalid_parameter url')
  })

  test.each(private_hosts)('in a local run refuses other private hosts: %j', (rest) => {
    expect(asked(`http://${rest}`, 'test', true)).toBe('invalid_parameter url')
  })

  test.each(ipv4_in_ipv6)('refuses an IPv4 address inside IPv6: %s', (address) => {
    for (const loopback_webhooks of [true, false]) {
      expect(asked(`http://[${address}]:8080/`, 'test', loopback_webhooks)).toBe('invalid_parameter url')
      expect(asked(`https://[${address}]/`, 'test', loopback_webhooks)).toBe('invalid_parameter url')
      expect(asked(`https://[${address}]/`, 'live', loopback_webhooks)).toBe('invalid_parameter url')
    }
    expect([isPublic(address), isLoopback(address)]).toEqual([false, false])
  })

  test.each([...this_host_urls, ...this_host_v6_urls])("refuses the service's own server: %j", (rest) => {
    const own = rest.replace('PORT', String(OWN_PORT))
    expect(asked(`http://${own}`, 'test', true)).toBe('invalid_parameter url')
    expect(asked(`http://${withPort(rest)}`, 'test', true)).toBe('taken')
  })

  test.each(['8.8.8.8', '[2606:4700::1111]'])('refuses %s only with the port of its own server', (host) => {
    for (const mode of ['test', 'live'] as const) {
      expect(asked(`https://${host}:${OWN_PORT}/`, mode)).toBe('invalid_parameter url')
      expect(asked(`https://${host}/`, mode)).toBe('taken')
    }
  })
})

describe('isPublic', () => {
  /**
   * For each range that is not public: the last public address before it, its first and last, and the next public one.
   */
  test.each([
    [null, '0.0.0.0', '0.255.255.255', '1.0.0.0'],
    ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
    ['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
    ['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'],
    ['168.63.129.15', '168.63.129.16', '168.63.129.16', '168.63.129.17'],
    ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
    ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
    ['191.255.255.255', '192.0.0.0', '192.0.0.255', '192.0.1.0'],
    ['192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0'],
    ['192.88.98.255', '192.88.99.0', '192.88.99.255', '192.88.100.0'],
    ['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
    ['198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0'],
    ['198.51.99.255', '198.51.100.0', '198.51.100.255', '198.51.101.0'],
    ['203.0.112.255', '203.0.113.0', '203.0.113.255', '203.0.114.0'],
    ['223.255.255.255', '224.0.0.0', '255.255.255.255', null],
    [null, '::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
    [null, '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
    ['2001:db7:ffff:ffff::', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'],
    ['2001:ffff::', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
    ['3ffe::', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:1000::'],
    ['3fff:ffff::', '4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
  ])('public addresses end at %s, before %s to %s, and continue at %s', (before, first, last, behind) => {
    expect([first, last].map(isPublic)).toEqual([false, false])
    for (const address of [before, behind]) if (address) expect(isPublic(address), address).toBe(true)
  })

  test.each(['1.1.1.1', '2606:4700::1111', '2606:4700:0:0:0:0:0:1111'])('accepts %s', (address) => {
    expect(isPublic(address)).toBe(true)
  })

  test.each(['example.com', '', 'localhost', '127.1', '0x7f000001', '2606:4700::1%eth0', '[2606:4700::1]'])(
    'rejects %j, which is not an address',
    (address) => {
      expect(isPublic(address)).toBe(false)
      expect(isLoopback(address)).toBe(false)
    },
  )
})

describe('isLoopback', () => {
  test.each(['127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1'])('accepts %s', (it) => {
    expect(isLoopback(it)).toBe(true)
  })

  test.each([
    '126.255.255.255',
    '128.0.0.0',
    '0.0.0.0',
    '::',
    '::2',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
  ])('rejects %s', (it) => {
    expect(isLoopback(it)).toBe(false)
  })
})

test('hostOf and isLocalName normalize the host of a URL', () => {
  const hosts = [
    'http://A.Example:1/',
    'http://a.example./',
    'http://[::1]/',
    'http://0x7f.1.:80/',
    'http://127.0.0.1../',
  ]
  expect(hosts.map((url) => hostOf(new URL(url)))).toEqual(['a.example', 'a.example', '::1', '127.0.0.1', '127.0.0.1'])
  expect(['localhost', 'a.localhost', 'alocalhost', 'localhost.a', ''].map(isLocalName)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})
