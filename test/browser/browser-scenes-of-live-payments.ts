import type { Locale } from '#shared/domain/session.ts'
import { money } from '#shared/pages/money.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { card } from '#test/fixtures/api.ts'
import { refuse } from '#test/fixtures/stripe/customer-actions.ts'
import { fillCard, type LiveCheckout } from './browser-checkout.ts'
import { type Scene, scene } from './browser-scene.ts'
import { person } from './browser-scenes-of-payments.ts'
import { STAY } from './browser-shop.ts'

const needs_3d_secure = card('4000002760003184')

/** After so many looks, the page of a customer who came back stays as it is. */
const LOOKS_MAX = 5

/** The pages that only customers of live payments see. The provider is the emulator of Stripe. */
export function livePages({ api, shop }: LiveCheckout, locale: Locale): Scene[] {
  // The site of the provider does not open, so that the browser stays on the page that leads there.
  api.emulator.account.origin = `${shop.url}${STAY}`
  const order = { amount: 9900, locale, return_url: `${shop.url}${STAY}` }
  const openSession = async (fields: object = {}) =>
    (await api.ask('POST /sessions', { amount: 9900, currency: 'JPY', default_locale: locale, ...fields })).body
  const pageOf = (id: string, query = '') => `${api.url}/pages/return/${api.live.id}/${id}?locale=${locale}${query}`
  /** Pays off-site and returns the id of the payment. */
  const leave = async (payment_details: object) => (await api.pay(payment_details, order)).id as string
  const atProvider = (payment_details: object) => async () =>
    `${api.url}/pages/off_site/${api.live.id}/${await leave(payment_details)}`
  const reserved = (payment_details: object) => async () =>
    (await api.pay({ ...payment_details, ...person }, order)).payment_details.instructions_url
  return [
    scene('live-session', async () => (await openSession()).session_url, locale),
    scene('live-provider-bank', atProvider(needs_3d_secure), locale),
    scene('live-provider-wallet', atProvider({ type: 'alipay' }), locale),
    returned('live-return', async () => pageOf(await leave(needs_3d_secure))),
    returned('live-return-last', async () => pageOf(await leave(needs_3d_secure), `&looks=${LOOKS_MAX}`)),
    returned('live-return-failed', async () => {
      const id = await leave(needs_3d_secure)
      refuse(api.emulator.account, api.intentOf(id))
      return pageOf(id)
    }),
    {
      name: 'live-session-failed',
      async enter(tab) {
        const { id, session_url } = await openSession({ payment_types: ['credit_card', 'alipay'] })
        await tab.visit(session_url)
        await fillCard(tab, { number: needs_3d_secure.number }, locale)
        await tab.press(texts[locale].pay(money(9900, 'JPY', locale)))
        const { payment } = (await api.ask(`GET /sessions/${id}`)).body
        refuse(api.emulator.account, api.intentOf(payment.id))
        await tab.visit(pageOf(payment.id))
      },
    },
    scene('live-instructions-lawson', reserved({ type: 'konbini', store: 'lawson' }), locale),
    scene('live-instructions-bank-transfer', reserved({ type: 'bank_transfer' }), locale),
  ]
}

/** A page that stays as it is, although it would look again after a few seconds. */
function returned(name: string, url: () => Promise<string>): Scene {
  return {
    name,
    async enter(tab) {
      await tab.visit(await url())
      await tab.page.evaluate('stop()')
    },
  }
}
