import { describe, expect, test } from 'vitest'
import type { Refusal } from '#shared/domain/errors.ts'
import type { Mode } from '#shared/domain/payment.ts'
import type { Work } from '#shared/store/work.ts'
import { isPublic, refuseUnsafeUrl } from '#shared/webhooks/address.ts'

const asked = (url: string, mode: Mode, loopback_webhooks = false): string => {
  try {
    refuseUnsafeUrl({ mode, platform: { loopback_webhooks } } as Work, url, 'url')
    return 'taken'
  } catch (error) {
    return `${(error as Refusal).code} ${(error as Refusal).param}`
  }
}

const this_host = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://127.255.255.254:9001/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://api.localhost/',
  'http://①②⑦.0.0.1/',
]

const private_hosts = [
  'http://0.0.0.0/',
  'http://10.0.0.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data',
  'http://0xa9fea9fe/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001::1]/',
  'http://[fe80::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
]

describe('the address of a webhook', () => {
  test.each([...this_host, ...private_hosts])('%s is refused', (url) => {
    expect(asked(url, 'test')).toBe('invalid_parameter url')
    expect(asked(url.replace('http:', 'https:'), 'live')).toBe('invalid_parameter url')
  })

  test.each([
    'https://example.com/hook',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://127.0.0.1.nip.io/',
  ])('%s is taken: names are looked up when they are called', (url) => {
    expect(asked(url, 'live')).toBe('taken')
  })

  test('http is for test mode only', () => {
    expect(asked('http://example.com/', 'test')).toBe('taken')
    expect(asked('http://example.com/', 'live')).toBe('invalid_parameter url')
  })

  test.each(this_host)('on a local run %s is taken in test mode, and in test mode alone', (url) => {
    expect(asked(url, 'test', true)).toBe('taken')
    expect(asked(url.replace('http:', 'https:'), 'live', true)).toBe('invalid_parameter url')
  })

  test.each(private_hosts)('a local run opens nothing but this host: not %s', (url) => {
    expect(asked(url, 'test', true)).toBe('invalid_parameter url')
  })

  test.each(['1.1.1.1', '172.32.0.1', '2606:4700::1111'])('%s is public', (address) => {
    expect(isPublic(address)).toBe(true)
  })

  test('what is no address is not public', () => {
    expect(isPublic('example.com')).toBe(false)
  })
})
