import { type File, type Listed, type RecordKind, type TableAccess, together } from './table-access.ts'

const shows = (...gets: RecordKind[]): TableAccess => ({ gets })

/** A list page counts each closed hour and day once, and stores the count in the list. */
const lists = (kind: Listed, ...shown: RecordKind[]): TableAccess => ({
  gets: [kind, `list#${kind}`, ...shown],
  queries: [`list#${kind}`],
  puts: [`list#${kind}`],
})

const changes = (...kinds: RecordKind[]): TableAccess => ({ gets: kinds, puts: kinds })

const tells: TableAccess = { puts: ['event', 'list#event'] }
const changes_payment = together(changes('payment'), tells, { puts: ['list#payment'] })
const moves_money: TableAccess = { puts: ['movement'] }
/** The sandbox acquirer stores its ledger in the table. */
const asks_acquirer = together(changes_payment, changes('sandbox'))
const charges = together(asks_acquirer, moves_money)

/** A secure token can refer to a customer's card. The transaction checks that the card has not changed. */
const uses_up_tokens: TableAccess = {
  gets: ['card', 'secure_token', 'token'],
  puts: ['secure_token'],
  deletes: ['token'],
  checks: ['card'],
}
/** A charge marks its token as spent when it begins, and erases the token when it ends. */
const charges_tokens = together(uses_up_tokens, { puts: ['token'] })
const charges_customers: TableAccess = { gets: ['card', 'customer'], checks: ['card'] }
const stores_details: TableAccess = { gets: ['card'], puts: ['card'] }
const stores_customer = together(stores_details, tells, { puts: ['customer', 'list#customer'] })

const shows_subscription = shows('card', 'customer', 'subscription')
const changes_subscription = together(changes('subscription'), tells, { puts: ['list#subscription'] })
const captures_subscription = together(changes_subscription, charges, charges_customers)

const changes_webhook = changes('webhook')
const begins_record = changes('application')
const begins_record_with_files = together(begins_record, shows('file'))
const changes_key: TableAccess = { gets: ['account', 'api_key'], puts: ['api_key', 'key'] }
const makes_deliveries: TableAccess = { gets: ['delivery'], puts: ['delivery', 'list#delivery'] }
const fans_out = together(makes_deliveries, changes('settling'), {
  gets: ['event', 'payment', 'webhook'],
  queries: ['list#webhook'],
  deletes: ['event'],
})

/**
 * What each function does with the table. `tableAccessOf` adds what every request or every message needs. Tests record
 * what the functions do, so the list misses nothing and grants nothing in excess.
 */
export const table_access_list: Readonly<Record<File, TableAccess>> = {
  'tokens/create': { puts: ['token'] },

  'customers/list': lists('customer'),
  'customers/show': shows('customer'),
  'customers/create': together(stores_customer, uses_up_tokens),
  'customers/update': together(stores_customer, uses_up_tokens, shows('customer'), {
    deletes: ['card', 'list#customer'],
  }),
  'customers/delete': together(changes_subscription, changes_payment, {
    gets: ['card', 'customer', 'list#subscription'],
    queries: ['list#subscription'],
    puts: ['list#customer'],
    deletes: ['card', 'customer', 'list#customer', 'list#subscription'],
  }),

  'payments/list': lists('payment'),
  'payments/show': shows('payment'),
  'payments/create': together(charges, charges_customers, charges_tokens),
  'payments/update': together(changes_payment, { deletes: ['list#payment'] }),
  'payments/capture': charges,
  'payments/refund': charges,
  'payments/refund-request': together(changes('payment'), tells),
  'payments/cancel': asks_acquirer,

  'sessions/show': shows('payment', 'session'),
  'sessions/create': { puts: ['session'] },
  'sessions/pay': together(changes('session'), charges, stores_customer, charges_tokens),
  'sessions/cancel': together(changes('session'), changes_payment),

  'secure-tokens/create': together(charges_customers, uses_up_tokens),
  'secure-tokens/show': shows('secure_token'),

  'subscriptions/list': together(lists('subscription'), shows_subscription),
  'subscriptions/show': shows_subscription,
  'subscriptions/create': captures_subscription,
  'subscriptions/delete': together(shows_subscription, changes_subscription, changes_payment),

  'accounts/create': { gets: ['account_name', 'merchant'], puts: ['account', 'account_name', 'merchant'] },
  'accounts/show': shows('account'),
  'accounts/update': changes('account'),
  'accounts/accept-service-agreement': changes('account'),
  'accounts/keys/create': { gets: ['account'], puts: ['api_key', 'key'] },
  'accounts/keys/roll': changes_key,
  'accounts/keys/delete': changes_key,

  'files/create': { puts: ['file'] },
  'files/show': shows('file'),
  'files/content': shows('file'),

  'events/list': lists('event'),
  'events/show': shows('event'),

  'live-application/show': shows('application'),
  'live-application/submit': changes('application'),
  'live-application/site-information/create': begins_record,
  'live-application/site-information/show': shows('application'),
  'live-application/site-information/update': begins_record,
  'live-application/company-information/create': begins_record_with_files,
  'live-application/company-information/show': shows('application'),
  'live-application/company-information/update': begins_record_with_files,
  'live-application/personal-information/create': begins_record_with_files,
  'live-application/personal-information/show': shows('application'),
  'live-application/personal-information/update': begins_record_with_files,
  'live-application/bank-account-information/create': begins_record,
  'live-application/bank-account-information/show': shows('application'),
  'live-application/bank-account-information/update': begins_record,
  'live-application/payment-methods/credit-card/create': begins_record_with_files,
  'live-application/payment-methods/credit-card/update': begins_record_with_files,
  'live-application/payment-methods/convenience-store/create': begins_record,
  'live-application/payment-methods/convenience-store/update': begins_record,
  'live-application/payment-methods/chain-store/create': begins_record,
  'live-application/payment-methods/chain-store/update': begins_record,
  'live-application/payment-methods/wallet/create': begins_record,
  'live-application/payment-methods/wallet/update': begins_record,

  'payment-methods/list': {},

  'settlements/list': lists('settlement'),
  'settlements/show': shows('settlement'),

  'webhooks/list': { gets: ['webhook'], queries: ['list#webhook'] },
  'webhooks/create': together(tells, {
    gets: ['webhook_slot'],
    queries: ['list#webhook'],
    puts: ['list#webhook', 'webhook', 'webhook_slot'],
    checks: ['webhook'],
  }),
  'webhooks/show': shows('webhook'),
  'webhooks/update': changes_webhook,
  'webhooks/delete': { gets: ['webhook'], deletes: ['list#webhook', 'webhook'] },
  'webhooks/ping': together(changes_webhook, tells),
  'webhooks/rotate': changes_webhook,
  'webhooks/recover': changes_webhook,

  'deliveries/list': together(lists('delivery'), { queries: ['delivery'] }),
  'deliveries/show': { gets: ['delivery'], queries: ['delivery'] },
  'deliveries/redeliver': together(makes_deliveries, { gets: ['payment', 'webhook'], queries: ['delivery'] }),

  'pages/sessions/show': shows('payment', 'session'),
  'pages/sessions/pay': together(changes('session'), charges, stores_customer),
  'pages/sessions/cancel': together(changes('session'), changes_payment),
  'pages/off-site/show': shows('payment'),
  'pages/off-site/decide': together(changes_payment, moves_money, changes('session')),
  'pages/secure-tokens/show': changes('secure_token'),
  'pages/secure-tokens/decide': changes('secure_token'),
  'pages/instructions/show': shows('payment', 'session'),
  'pages/instructions/pay': together(changes_payment, moves_money),

  'background/not-found': {},
  'background/sweep': changes('cursor'),
  'background/fan-out': fans_out,
  'background/deliver': together(makes_deliveries, shows('event', 'payment', 'webhook')),
  'background/capture': captures_subscription,
  'background/chores': together(fans_out, charges, changes('session', 'settlement', 'settling', 'webhook'), tells, {
    gets: ['file', 'token', 'secure_token'],
    queries: ['list#delivery', 'movement'],
    puts: ['file', 'list#settlement', 'secure_token'],
    deletes: ['file', 'settling', 'token'],
  }),
}
