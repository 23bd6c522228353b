import type { PaymentType } from '#shared/domain/payment-details.ts'
import { payment_type_names } from '#shared/domain/payment-type-names.ts'
import type { Locale } from '#shared/domain/session.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { openStripeApi, type StripeApi } from '#test/fixtures/stripe-api.ts'
import { openShop, type Shop } from './browser-shop.ts'
import type { Tab } from './browser-tab.ts'

/** The fields of a session that tests read from responses. */
export interface CheckoutSession {
  readonly id: string
  readonly session_url: string
  readonly status: string
  readonly expired: boolean
  readonly customer_id: string | null
  // biome-ignore lint/suspicious/noExplicitAny: tests look at payments of every shape
  readonly payment: any
}

/** The service, and a shop that sends its customers to it. */
export interface Checkout {
  readonly api: Api
  readonly shop: Shop
  /** Creates a session of 1,000 JPY in English with the return URL `/paid?order=7`. `fields` override these. */
  newSession(fields?: object): Promise<CheckoutSession>
  /** The session as its merchant sees it. */
  sessionOf(id: string): Promise<CheckoutSession>
  /** The statuses of the payments of a session, in alphabetical order. */
  statusesOf(id: string): Promise<string[]>
  /** Sends JSON to the API and returns the body of the response. Throws on status 422. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape
  post(path: string, json: object, headers?: Readonly<Record<string, string>>): Promise<any>
  close(): Promise<void>
}

/** A checkout whose live payments go to the emulator of Stripe. */
export interface LiveCheckout extends Checkout {
  readonly api: StripeApi
}

/** Opens the service and a shop. */
export const openCheckout = (): Promise<Checkout> => openWith(openApi())

/** Opens the service, the emulator of Stripe and a shop. */
export const openLiveCheckout = (): Promise<LiveCheckout> => openWith(openStripeApi())

async function openWith<Opened extends Api>(opened: Promise<Opened>): Promise<Checkout & { readonly api: Opened }> {
  const [api, shop] = await Promise.all([opened, openShop()])
  const post: Checkout['post'] = async (path, json, headers = {}) => {
    const { status, body } = await api.request(`POST ${path}`, { json, headers })
    if (status === 422) throw new Error(`POST ${path}: ${body.error.message} (${body.error.param})`)
    return body
  }
  return {
    api,
    shop,
    post,
    newSession: (fields) =>
      post('/sessions', {
        ...{ amount: 1000, currency: 'JPY', default_locale: 'en', payment_types: ['credit_card'] },
        return_url: `${shop.url}/paid?order=7`,
        ...fields,
      }),
    sessionOf: async (id) => (await api.request(`GET /sessions/${id}`)).body,
    async statusesOf(id) {
      const statuses: string[] = []
      // While the clock stands still, the newest payments can be on any page.
      for (let page = 1, last = 1; page <= last; page++) {
        const { data, last_page } = (await api.request(`GET /payments?per_page=100&page=${page}`)).body
        last = last_page
        for (const { session, status } of data) if (session === id) statuses.push(status)
      }
      return statuses.sort()
    },
    close: async () => {
      await Promise.all([api.close(), shop.close()])
    },
  }
}

/** The input of a customer in the card form. */
export interface TypedCard {
  readonly number: string
  readonly expiry: string
  readonly verification_value: string
  readonly name: string
  readonly email: string
}

/** Input that pays successfully. */
export const typed_card: TypedCard = {
  number: '4111111111111111',
  expiry: '12/35',
  verification_value: '123',
  name: 'Hanako Yamada',
  email: 'hanako@example.com',
}

/** Fills in the card form. */
export async function fillCard(tab: Tab, typed: Partial<TypedCard> = {}, locale: Locale = 'en'): Promise<void> {
  const all = Object.entries({ ...typed_card, ...typed })
  await tab.fillAll(all.map(([field, text]) => [labelOf(field as keyof TypedCard, locale), text]))
}

/** Matches the label of a field. A note that the field is optional may follow. */
export const labelOf = (field: keyof TypedCard, locale: Locale = 'en'): RegExp =>
  beginning(texts[locale].fields[field].label)

/** Matches the name of a payment type. Its fee may follow. */
export const methodOf = (type: PaymentType, locale: Locale = 'en'): RegExp =>
  beginning(payment_type_names[type][locale])

const beginning = (text: string): RegExp => new RegExp(`^${RegExp.escape(text)}`)
