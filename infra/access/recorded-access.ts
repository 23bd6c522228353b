import type { File, FunctionAccess } from './function-access.ts'

/**
 * What each function was seen to do with the table, the queues, the vault and the bucket while the tests used the whole
 * service. The roles of the functions derive from it. `npm run access` writes this file, so do not edit it: review how
 * it changes.
 */
export const recorded_access: Readonly<Record<File, FunctionAccess>> = {
  'accounts/accept-service-agreement': {
    gets: ['account', 'idempotency', 'key', 'merchant'],
    puts: ['account', 'idempotency'],
  },
  'accounts/create': {
    gets: ['account_name', 'idempotency', 'key', 'merchant'],
    puts: ['account', 'account_name', 'idempotency', 'merchant'],
  },
  'accounts/keys/create': {
    gets: ['account', 'idempotency', 'key', 'merchant'],
    puts: ['api_key', 'idempotency', 'key'],
  },
  'accounts/keys/delete': {
    gets: ['account', 'api_key', 'key', 'merchant'],
    puts: ['api_key', 'key'],
  },
  'accounts/keys/roll': {
    gets: ['account', 'api_key', 'idempotency', 'key', 'merchant'],
    puts: ['api_key', 'idempotency', 'key'],
  },
  'accounts/show': {
    gets: ['account', 'key', 'merchant'],
  },
  'accounts/update': {
    gets: ['account', 'file', 'idempotency', 'key', 'logo', 'merchant'],
    puts: ['account', 'idempotency', 'logo'],
    objects: ['GetObject'],
    logos: ['PutObject'],
  },
  'background/capture': {
    gets: ['card', 'customer', 'merchant', 'payment', 'sandbox', 'subscription'],
    puts: [
      'event',
      'list#all',
      'list#event',
      'list#payment',
      'list#subscription',
      'movement',
      'payment',
      'sandbox',
      'subscription',
    ],
    checks: ['card'],
    opens: ['payment_details'],
  },
  'background/chores': {
    gets: [
      'delivery',
      'event',
      'file',
      'merchant',
      'payment',
      'sandbox',
      'secure_token',
      'session',
      'settlement',
      'settling',
      'token',
      'webhook',
    ],
    queries: ['list#delivery', 'list#webhook', 'movement'],
    puts: [
      'delivery',
      'event',
      'file',
      'list#all',
      'list#delivery',
      'list#event',
      'list#payment',
      'list#settlement',
      'movement',
      'payment',
      'sandbox',
      'secure_token',
      'session',
      'settlement',
      'settling',
      'webhook',
    ],
    deletes: ['event', 'file', 'settling', 'token'],
    sends: ['chores', 'deliveries'],
    objects: ['DeleteObject'],
  },
  'background/deliver': {
    gets: ['delivery', 'event', 'merchant', 'payment', 'webhook'],
    puts: ['delivery', 'list#delivery'],
    sends: ['deliveries'],
    opens: ['webhook_secret'],
  },
  'background/fan-out': {
    gets: ['delivery', 'event', 'merchant', 'payment', 'settling', 'webhook'],
    queries: ['list#webhook'],
    puts: ['delivery', 'list#delivery', 'settling'],
    deletes: ['event'],
    sends: ['deliveries'],
  },
  'background/not-found': {},
  'background/sweep': {
    gets: ['cursor'],
    puts: ['cursor'],
    sends: ['captures', 'chores', 'deliveries'],
  },
  'customers/create': {
    gets: ['card', 'idempotency', 'key', 'merchant', 'secure_token', 'token'],
    puts: ['card', 'customer', 'event', 'idempotency', 'list#all', 'list#customer', 'list#event', 'secure_token'],
    deletes: ['token'],
    checks: ['card'],
    seals: ['payment_details'],
    opens: ['payment_details'],
  },
  'customers/delete': {
    gets: ['card', 'customer', 'key', 'list#subscription', 'merchant', 'payment', 'subscription'],
    queries: ['list#subscription'],
    puts: ['event', 'list#all', 'list#event', 'list#payment', 'list#subscription', 'payment', 'subscription'],
    deletes: ['card', 'customer', 'list#customer', 'list#subscription'],
  },
  'customers/list': {
    gets: ['customer', 'key', 'merchant'],
    queries: ['list#all', 'list#customer'],
    puts: ['list#all', 'list#customer'],
  },
  'customers/show': {
    gets: ['customer', 'key', 'merchant'],
  },
  'customers/update': {
    gets: ['card', 'customer', 'idempotency', 'key', 'merchant', 'secure_token', 'token'],
    puts: ['card', 'customer', 'event', 'idempotency', 'list#all', 'list#customer', 'list#event', 'secure_token'],
    deletes: ['card', 'list#customer', 'token'],
    checks: ['card'],
    seals: ['payment_details'],
    opens: ['payment_details'],
  },
  'deliveries/list': {
    gets: ['delivery', 'key', 'merchant'],
    queries: ['delivery', 'list#delivery'],
    puts: ['list#delivery'],
  },
  'deliveries/redeliver': {
    gets: ['delivery', 'idempotency', 'key', 'merchant', 'payment', 'webhook'],
    queries: ['delivery'],
    puts: ['delivery', 'idempotency', 'list#delivery'],
    sends: ['deliveries'],
  },
  'deliveries/show': {
    gets: ['delivery', 'key', 'merchant'],
    queries: ['delivery'],
  },
  'docs/openapi': {},
  'docs/show': {},
  'events/list': {
    gets: ['event', 'key', 'merchant'],
    queries: ['list#all', 'list#event'],
    puts: ['list#all', 'list#event'],
  },
  'events/show': {
    gets: ['event', 'key', 'merchant'],
  },
  'files/content': {
    gets: ['file', 'key', 'merchant'],
    objects: ['GetObject'],
  },
  'files/create': {
    gets: ['idempotency', 'key', 'merchant'],
    puts: ['file', 'idempotency'],
    objects: ['PutObject'],
  },
  'files/show': {
    gets: ['file', 'key', 'merchant'],
  },
  'live-application/bank-account-information/create': {
    gets: ['application', 'idempotency', 'key', 'merchant'],
    puts: ['application', 'idempotency'],
  },
  'live-application/bank-account-information/show': {
    gets: ['application', 'key', 'merchant'],
  },
  'live-application/bank-account-information/update': {
    gets: ['application', 'idempotency', 'key', 'merchant'],
    puts: ['application', 'idempotency'],
  },
  'live-application/company-information/create': {
    gets: ['application', 'file', 'idempotency', 'key', 'merchant'],
    puts: ['application', 'idempotency'],
  },
  'live-application/company-information/show': {
    gets: ['application', 'key', 'merchant'],
  },
  'live-application/company-information/update': {
    gets: ['application', 'file', 'idempotency', 'key', 'merchant'],
    puts: ['application', 'idempotency'],
  },
  'live-application/payment-methods/chain-store/create': {
    gets: ['application', 'idempotency', 'key', 'merchant'],
    puts: ['application', 'idempotency'],
  },
  'live-application/payment-methods/chain-store/update': {
    gets: ['application', 'idempotency', 'key', 'merchant'],
    puts: ['application', 'idempotency'],
  },
  'live-application/payment-methods/convenience-store/create': {
    gets: ['application', 'idempotency', 'key', 'merchant'],
    puts: ['application', 'idempotency'],
  },
  'live-application/payment-methods/convenience-store/update': {
    gets: ['application', 'idempotency', 'key', 'merchant'],
    puts: ['application', 'idempotency'],
  },
  'live-application/payment-methods/credit-card/create': {
    gets: ['application', 'file', 'idempotency', 'key', 'merchant'],
    puts: ['application', 'idempotency'],
  },
  'live-application/payment-methods/credit-card/update': {
    gets: ['application', 'file', 'idempotency', 'key', 'merchant'],
    puts: ['application', 'idempotency'],
  },
  'live-application/payment-methods/wallet/create': {
    gets: ['application', 'idempotency', 'key', 'merchant'],
    puts: ['application', 'idempotency'],
  },
  'live-application/payment-methods/wallet/update': {
    gets: ['application', 'idempotency', 'key', 'merchant'],
    puts: ['application', 'idempotency'],
  },
  'live-application/personal-information/create': {
    gets: ['application', 'file', 'idempotency', 'key', 'merchant'],
    puts: ['application', 'idempotency'],
  },
  'live-application/personal-information/show': {
    gets: ['application', 'key', 'merchant'],
  },
  'live-application/personal-information/update': {
    gets: ['application', 'file', 'idempotency', 'key', 'merchant'],
    puts: ['application', 'idempotency'],
  },
  'live-application/show': {
    gets: ['application', 'key', 'merchant'],
  },
  'live-application/site-information/create': {
    gets: ['application', 'idempotency', 'key', 'merchant'],
    puts: ['application', 'idempotency'],
  },
  'live-application/site-information/show': {
    gets: ['application', 'key', 'merchant'],
  },
  'live-application/site-information/update': {
    gets: ['application', 'idempotency', 'key', 'merchant'],
    puts: ['application', 'idempotency'],
  },
  'live-application/submit': {
    gets: ['application', 'idempotency', 'key', 'merchant'],
    puts: ['application', 'idempotency'],
  },
  'notifications/stripe': {},
  'pages/instructions/calendar': {
    gets: ['account', 'merchant', 'payment'],
  },
  'pages/instructions/pay': {
    gets: ['account', 'merchant', 'payment'],
    puts: ['event', 'list#all', 'list#event', 'list#payment', 'movement', 'payment'],
  },
  'pages/instructions/show': {
    gets: ['account', 'merchant', 'payment', 'session'],
  },
  'pages/off-site/decide': {
    gets: ['account', 'merchant', 'payment', 'session'],
    puts: ['event', 'list#all', 'list#event', 'list#payment', 'movement', 'payment', 'session'],
  },
  'pages/off-site/show': {
    gets: ['account', 'merchant', 'payment'],
  },
  'pages/return/show': {
    gets: ['account', 'merchant', 'payment'],
  },
  'pages/secure-tokens/decide': {
    gets: ['account', 'merchant', 'secure_token'],
    puts: ['secure_token'],
  },
  'pages/secure-tokens/show': {
    gets: ['account', 'merchant', 'secure_token'],
    puts: ['secure_token'],
  },
  'pages/sessions/cancel': {
    gets: ['account', 'merchant', 'payment', 'session'],
    puts: ['event', 'list#all', 'list#event', 'list#payment', 'payment', 'session'],
  },
  'pages/sessions/pay': {
    gets: ['account', 'card', 'customer', 'merchant', 'payment', 'session'],
    puts: [
      'card',
      'customer',
      'event',
      'list#all',
      'list#customer',
      'list#event',
      'list#payment',
      'movement',
      'payment',
      'sandbox',
      'session',
    ],
    checks: ['card'],
    seals: ['payment_details'],
    opens: ['payment_details'],
  },
  'pages/sessions/show': {
    gets: ['account', 'card', 'merchant', 'payment', 'session'],
  },
  'payment-methods/list': {
    gets: ['key', 'merchant'],
  },
  'payments/cancel': {
    gets: ['idempotency', 'key', 'merchant', 'payment', 'sandbox'],
    puts: ['event', 'idempotency', 'list#all', 'list#event', 'list#payment', 'payment', 'sandbox'],
  },
  'payments/capture': {
    gets: ['idempotency', 'key', 'merchant', 'payment', 'sandbox'],
    puts: ['event', 'idempotency', 'list#all', 'list#event', 'list#payment', 'movement', 'payment', 'sandbox'],
  },
  'payments/create': {
    gets: ['card', 'customer', 'idempotency', 'key', 'merchant', 'payment', 'sandbox', 'secure_token', 'token'],
    puts: [
      'event',
      'idempotency',
      'list#all',
      'list#event',
      'list#payment',
      'movement',
      'payment',
      'sandbox',
      'secure_token',
      'token',
    ],
    deletes: ['token'],
    checks: ['card'],
    seals: ['webhook_secret'],
    opens: ['payment_details'],
  },
  'payments/list': {
    gets: ['key', 'merchant', 'payment'],
    queries: ['list#all', 'list#payment'],
    puts: ['list#all', 'list#payment'],
  },
  'payments/refund': {
    gets: ['idempotency', 'key', 'merchant', 'payment', 'sandbox'],
    puts: ['event', 'idempotency', 'list#all', 'list#event', 'list#payment', 'movement', 'payment', 'sandbox'],
  },
  'payments/refund-request': {
    gets: ['idempotency', 'key', 'merchant', 'payment'],
    puts: ['event', 'idempotency', 'list#all', 'list#event', 'payment'],
  },
  'payments/show': {
    gets: ['key', 'merchant', 'payment'],
  },
  'payments/update': {
    gets: ['idempotency', 'key', 'merchant', 'payment'],
    puts: ['event', 'idempotency', 'list#all', 'list#event', 'list#payment', 'payment'],
    deletes: ['list#payment'],
  },
  'pictures/logos/show': {
    gets: ['logo'],
    logos: ['GetObject'],
  },
  'pictures/payment-methods/show': {},
  'secure-tokens/create': {
    gets: ['card', 'customer', 'idempotency', 'key', 'merchant', 'secure_token', 'token'],
    puts: ['idempotency', 'secure_token'],
    deletes: ['token'],
    checks: ['card'],
    seals: ['payment_details'],
    opens: ['payment_details'],
  },
  'secure-tokens/show': {
    gets: ['key', 'merchant', 'secure_token'],
  },
  'sessions/cancel': {
    gets: ['idempotency', 'key', 'merchant', 'payment', 'session'],
    puts: ['event', 'idempotency', 'list#all', 'list#event', 'list#payment', 'payment', 'session'],
  },
  'sessions/create': {
    gets: ['account', 'customer', 'idempotency', 'key', 'merchant'],
    puts: ['idempotency', 'session'],
    seals: ['webhook_secret'],
  },
  'sessions/pay': {
    gets: [
      'card',
      'customer',
      'idempotency',
      'key',
      'merchant',
      'payment',
      'sandbox',
      'secure_token',
      'session',
      'token',
    ],
    puts: [
      'card',
      'customer',
      'event',
      'idempotency',
      'list#all',
      'list#customer',
      'list#event',
      'list#payment',
      'movement',
      'payment',
      'sandbox',
      'secure_token',
      'session',
      'token',
    ],
    deletes: ['token'],
    checks: ['card'],
    seals: ['payment_details'],
    opens: ['payment_details'],
  },
  'sessions/show': {
    gets: ['key', 'merchant', 'payment', 'session'],
  },
  'settlements/list': {
    gets: ['key', 'merchant', 'settlement'],
    queries: ['list#all', 'list#settlement'],
    puts: ['list#all', 'list#settlement'],
  },
  'settlements/show': {
    gets: ['key', 'merchant', 'settlement'],
  },
  'subscriptions/create': {
    gets: ['card', 'customer', 'idempotency', 'key', 'merchant', 'sandbox'],
    puts: [
      'event',
      'idempotency',
      'list#all',
      'list#event',
      'list#payment',
      'list#subscription',
      'movement',
      'payment',
      'sandbox',
      'subscription',
    ],
    checks: ['card'],
    opens: ['payment_details'],
  },
  'subscriptions/delete': {
    gets: ['card', 'customer', 'key', 'merchant', 'payment', 'subscription'],
    puts: ['event', 'list#all', 'list#event', 'list#payment', 'list#subscription', 'payment', 'subscription'],
  },
  'subscriptions/list': {
    gets: ['card', 'customer', 'key', 'merchant', 'subscription'],
    queries: ['list#all', 'list#subscription'],
    puts: ['list#all', 'list#subscription'],
  },
  'subscriptions/show': {
    gets: ['card', 'customer', 'key', 'merchant', 'subscription'],
  },
  'tokens/create': {
    gets: ['idempotency', 'key', 'merchant'],
    puts: ['idempotency', 'token'],
    seals: ['payment_details'],
  },
  'webhooks/create': {
    gets: ['idempotency', 'key', 'merchant', 'webhook_slot'],
    queries: ['list#webhook'],
    puts: ['event', 'idempotency', 'list#all', 'list#event', 'list#webhook', 'webhook', 'webhook_slot'],
    checks: ['webhook'],
    seals: ['webhook_secret'],
  },
  'webhooks/delete': {
    gets: ['key', 'merchant', 'webhook'],
    deletes: ['list#webhook', 'webhook'],
  },
  'webhooks/list': {
    gets: ['key', 'merchant', 'webhook'],
    queries: ['list#webhook'],
  },
  'webhooks/ping': {
    gets: ['idempotency', 'key', 'merchant', 'webhook'],
    puts: ['event', 'idempotency', 'list#all', 'list#event', 'webhook'],
  },
  'webhooks/recover': {
    gets: ['idempotency', 'key', 'merchant', 'webhook'],
    puts: ['idempotency', 'webhook'],
    sends: ['chores'],
  },
  'webhooks/rotate': {
    gets: ['idempotency', 'key', 'merchant', 'webhook'],
    puts: ['idempotency', 'webhook'],
    seals: ['webhook_secret'],
  },
  'webhooks/show': {
    gets: ['key', 'merchant', 'webhook'],
  },
  'webhooks/update': {
    gets: ['idempotency', 'key', 'merchant', 'webhook'],
    puts: ['idempotency', 'webhook'],
    sends: ['chores'],
    seals: ['webhook_secret'],
  },
}
