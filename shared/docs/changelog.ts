/** A version of the API with what it added or changed. */
export interface ChangelogEntry {
  readonly version: string
  readonly title: string
  /** One line for each change that a merchant can see. Text between backticks is code. */
  readonly changes: readonly string[]
}

/** The versions of the API, the newest first. */
export const changelog: readonly ChangelogEntry[] = [
  {
    version: '1',
    title: 'The first version',
    changes: [
      'Payments by card with 3-D Secure, in convenience stores, by bank transfer and Pay-easy, with wallets, carrier billing and prepaid cards.',
      'Authorization and capture, full and partial refunds, refund requests for cash, and cancellation.',
      'Sessions with hosted pages in Japanese, English and Korean, which show the name, the color and the logo of the shop, and offer the stored card of a customer.',
      'Tokens and secure tokens, so that card numbers never reach your server.',
      'Customers with stored payment details, and subscriptions that retry failed renewals.',
      'Signed webhooks with retries for 25 days, redelivery and recovery, and a list of past events and deliveries.',
      'Idempotency keys on every request that writes.',
      'Platforms: accounts for sub-merchants, their keys, their applications for live payments, and weekly settlements.',
      'A test clock: `POST /test_clock` advances the time of your test mode.',
      'A test mode with sandbox cards and scenarios, and a local run of the whole service with a clock that you advance.',
    ],
  },
]
