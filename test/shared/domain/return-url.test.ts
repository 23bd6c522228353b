import { describe, expect, test } from 'vitest'
import { appended, returnUrl } from '#shared/domain/return-url.ts'
import { sessionRecord } from '#test/fixtures/records.ts'

describe('appended', () => {
  test.each([
    ['https://shop.example.com', 'https://shop.example.com?session_id=ses_1'],
    ['https://shop.example.com/done', 'https://shop.example.com/done?session_id=ses_1'],
    ['https://shop.example.com/done?a=1&b=%20x', 'https://shop.example.com/done?a=1&b=%20x&session_id=ses_1'],
    ['https://shop.example.com/done?session_id=old', 'https://shop.example.com/done?session_id=old&session_id=ses_1'],
    ['https://shop.example.com/#/done', 'https://shop.example.com/?session_id=ses_1#/done'],
    ['https://shop.example.com/?a=1#b?c#d', 'https://shop.example.com/?a=1&session_id=ses_1#b?c#d'],
    ['myapp://', 'myapp://?session_id=ses_1'],
    ['myapp://done', 'myapp://done?session_id=ses_1'],
    ['com.example.shop://pay/back?order=7#x', 'com.example.shop://pay/back?order=7&session_id=ses_1#x'],
    ['http://localhost:3000/%E8%8C%B6', 'http://localhost:3000/%E8%8C%B6?session_id=ses_1'],
  ])('turns %s into %s', (url, expected) => {
    expect(appended(url, 'session_id', 'ses_1')).toBe(expected)
    expect(new URL(expected).searchParams.getAll('session_id').at(-1)).toBe('ses_1')
  })

  test('encodes the value of the parameter', () => {
    const url = appended('https://shop.example.com/', 'secure_token', 'a&b=c#d')
    expect(url).toBe('https://shop.example.com/?secure_token=a%26b%3Dc%23d')
  })
})

describe('returnUrl', () => {
  test('appends the id of the session', () => {
    const session = sessionRecord({ id: 'ses_9', return_url: 'https://shop.example.com/?a=1' })
    expect(returnUrl(session)).toBe('https://shop.example.com/?a=1&session_id=ses_9')
  })

  test('is null if the session has no return URL', () => {
    expect(returnUrl(sessionRecord({ return_url: null }))).toBe(null)
  })
})
