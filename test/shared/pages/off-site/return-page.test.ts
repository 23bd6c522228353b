import { describe, expect, test } from 'vitest'
import { returnPage } from '#shared/pages/off-site/return-page.ts'
import { texts } from '#shared/pages/texts/texts.ts'

const back_url = 'https://shop.example/back'

describe('returnPage', () => {
  test('says that the payment is being checked, and looks again in three seconds', () => {
    const { title, main, refresh, continue_to } = returnPage({ locale: 'ko', looks: 0, back_url })
    expect(title).toBe(texts.ko.endings.processing.title)
    expect(String(main)).not.toContain(back_url)
    expect(refresh).toEqual({ seconds: 3, href: '?locale=ko&looks=1' })
    expect(continue_to).toBeUndefined()
  })

  test.each([5, 6, 1e9])('after %d looks, offers to look again and the way back to the shop', (looks) => {
    const { main, refresh } = returnPage({ locale: 'en', looks, back_url })
    expect(String(main)).toContain('href="?locale=en"')
    expect(String(main)).toContain(`href="${back_url}"`)
    expect(refresh).toBeUndefined()
  })

  test('has no way back without a shop', () => {
    expect(String(returnPage({ locale: 'en', looks: 5 }).main)).not.toContain(texts.en.back_to_shop)
  })
})
