import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { money } from '#shared/pages/money.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { useBrowser } from '#test/browser/browser.ts'
import { fillCard } from '#test/browser/browser-checkout.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

const openTab = useBrowser()
let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

describe('the home page of a local run', () => {
  test.each([
    ['with JavaScript', true],
    ['without JavaScript', false],
  ])('leads to a session, whose payment leads back %s', async (_, javascript) => {
    const tab = await openTab({ javascript })
    expect(await tab.visit(`${api.url}/`)).toBe(200)
    expect(await tab.press('Create a session and pay')).toBe(200)
    expect(tab.page.url()).toContain(`${api.url}/pages/sessions/`)
    await fillCard(tab)
    await tab.press(texts.en.pay(money(1000, 'JPY', 'en')))
    await tab.arriveAt(`${api.url}/?session_id=`)
    expect(await tab.has('Create a session and pay')).toBe(true)
    expect(tab.complaints).toEqual([])
  })
})
