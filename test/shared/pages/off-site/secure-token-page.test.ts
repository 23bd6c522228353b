import { describe, expect, test } from 'vitest'
import { secureTokenPage } from '#shared/pages/off-site/secure-token-page.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { shownCard, valuesOf } from '#test/browser/customer-pages.ts'

const input = { locale: 'ja', amount: 1050, currency: 'USD', shown: shownCard } as const

describe('secureTokenPage', () => {
  test('offers to verify the holder of the card, and shows the amount', () => {
    const main = String(secureTokenPage({ ...input, status: 'NEEDS_VERIFY' }).main)
    expect(valuesOf(main, 'value')).toEqual(['authenticate', 'fail', 'close'])
    expect(main).toContain('$10.50')
    expect(main).toContain('Visa •••• 0100')
  })

  test.each([
    ['OK', 'verified'],
    ['SKIPPED', 'verified'],
    ['ERRORED', 'unverified'],
    ['EXPIRED', 'expired'],
    ['NEEDS_VERIFY', 'unfinished'],
  ] as const)('shows a token that is %s as %s, and continues to the shop', (status, ending) => {
    const continue_to = 'https://shop.example/?secure_token=sec_1'
    const page = secureTokenPage({ ...input, status, continue_to })
    expect(page.title).toBe(texts.ja.endings[ending].title)
    expect(page.continue_to).toBe(continue_to)
    expect(String(page.main)).not.toContain('<form')
    expect(String(page.main)).toContain(`href="${continue_to}"`)
  })
})
