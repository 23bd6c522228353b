import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { return_url } from '#shared/resources/return-url.ts'

describe('return_url', () => {
  test.each([
    'https://shop.example.com/done?a=1#top',
    'http://localhost:3000',
    'HTTPS://SHOP.EXAMPLE.COM',
    'myapp://done',
    'myapp://',
    'https://shop.example.com/done?session_id={SESSION_ID}',
    'com.example.shop+v2://pay/back?order=7',
  ])('accepts %s', (url) => {
    expect(v.is(return_url, url)).toBe(true)
  })

  test.each([
    'javascript://shop.example/%0aalert(1)',
    'JavaScript:alert(1)',
    'data://text/html,x',
    'data:text/html,x',
    'vbscript://x',
    'file:///etc/passwd',
    'blob://x',
    'about://blank',
    'intent://pay#Intent;scheme=x;end',
    'mailto:taro@example.com',
    'myapp:done',
    '/done',
    '//shop.example.com',
    '://x',
    ' https://shop.example.com',
    'java\nscript://x',
    'myapp://do ne',
    'https://',
    'http://',
    `myapp://${'x'.repeat(2_048)}`,
    `myapp://${'茶'.repeat(1_000)}`,
    7,
    null,
  ])('refuses %s', (url) => {
    expect(v.is(return_url, url)).toBe(false)
  })
})
