/** The resources of the API in the order in which the document shows them, each with what it is for. */
export const tag_descriptions = {
  payments: 'A payment charges a customer once: by card, in a convenience store, by bank transfer or with a wallet.',
  sessions: 'A session is a hosted page on which a customer pays or stores a card.',
  tokens: 'A token stands for payment details, so that card numbers do not reach your server. It can be used once.',
  secure_tokens: 'A secure token is a token whose customer passes 3-D Secure before the payment.',
  customers: 'A customer stores payment details, which can be charged later.',
  subscriptions: 'A subscription charges a customer each week, month or year.',
  payment_methods: 'The payment types, with their names in several languages.',
  events: 'An event records a change of a resource. Webhooks deliver it.',
  webhooks: 'A webhook receives events at your own address.',
  deliveries: 'A delivery is an event on its way to a webhook, with all attempts.',
  settlements: 'A settlement states what a merchant has earned in a week.',
  accounts: 'An account is another business on your platform, with a test merchant and a live merchant. Pre-release.',
  files: 'A file is a document that an application for live payments needs. Pre-release.',
  live_application:
    'The application for live payments of the merchant whose key is used. It consists of records. Pre-release.',
  test_clock: 'The clock of your test mode, which you can advance.',
  documents: 'The API description itself.',
} as const

/** A tag of the API description. */
export type Tag = keyof typeof tag_descriptions

/** The tag of a row: the first segment of its path. */
export function tagOf(path: string): Tag {
  const [, tag = ''] = path.split('/')
  if (!Object.hasOwn(tag_descriptions, tag)) throw new Error(`infra/openapi/tags.ts has no description of ${tag}`)
  return tag as Tag
}
