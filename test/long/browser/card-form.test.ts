import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { card_form } from '#shared/docs/samples/cards.ts'
import { useBrowser } from '#test/browser/browser.ts'
import { openShop, type Shop } from '#test/browser/browser-shop.ts'
import type { Tab } from '#test/browser/browser-tab.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

/** These tests open the card form of the documentation on the page of a shop, which has another origin. */

const openTab = useBrowser()
let api: Api
let shop: Shop
beforeAll(async () => {
  api = await openApi()
  shop = await openShop()
  const form = card_form
    .replace('{base_url}', `${api.url}/api/v1`)
    .replace('{publishable_key}', api.test.publishable_key)
  shop.show('/checkout', form)
})
afterAll(async () => {
  await shop.close()
  await api.close()
})

async function pay(number: string): Promise<Tab> {
  const tab = await openTab()
  await tab.visit(`${shop.url}/checkout`)
  await tab.fillAll([
    [/^Card number/, number],
    [/^Month/, '12'],
    [/^Year/, '2035'],
    [/^Name/, 'Taro Yamada'],
  ])
  return tab
}

describe('card_form', () => {
  test('sends the card to the service, and to the shop only a token that pays', async () => {
    const tab = await pay('4111 1111 1111 1111')
    const posts: { url: string; body: string }[] = []
    tab.page.on('request', (request) => {
      if (request.method() === 'POST') posts.push({ url: request.url(), body: request.postData() ?? '' })
    })
    const paid = shop.nextVisit()
    await tab.press('Pay')
    expect(await paid).toMatchObject({ method: 'POST', url: '/orders/1001/pay' })
    expect(posts.map(({ url }) => url)).toEqual([`${api.url}/api/v1/tokens`, `${shop.url}/orders/1001/pay`])
    const sent = new URLSearchParams(posts[1]!.body)
    expect([...sent.keys()]).toEqual(['token'])
    const order = { amount: 1000, currency: 'JPY', payment_details: sent.get('token') }
    expect((await api.request('POST /payments', { json: order })).body).toMatchObject({ status: 'captured' })
  })

  test('asks the customer to check a card that is not valid', async () => {
    const tab = await pay('4111 1111 1111 1112')
    await tab.page.click('button')
    await expect.poll(() => tab.text()).toContain('Please check your card details.')
    tab.complaints.length = 0
  })
})
