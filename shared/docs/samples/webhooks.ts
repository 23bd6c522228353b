import type { Sample } from '../sample.ts'
import { requestSample } from './request-sample.ts'

/** Creates a webhook at `WEBHOOK_URL` with the secret `WEBHOOK_SECRET`. */
export const create_webhook: Sample = requestSample({
  method: 'POST',
  path: '/webhooks',
  body: {
    url: '$WEBHOOK_URL',
    event_list: ['payment.captured', 'payment.failed', 'payment.refund.created'],
    secret_token: '$WEBHOOK_SECRET',
  },
  result: 'webhook',
  prints: ['webhook.id', 'webhook.event_list'],
})

/** Makes a secret for a webhook. */
export const make_secret: Sample = { shell: `echo "whsec_$(openssl rand -base64 24)"` }

/** Sends a test event to the webhook `WEBHOOK`. */
export const ping_webhook: Sample = requestSample({
  method: 'POST',
  path: '/webhooks/$WEBHOOK/ping',
  result: 'webhook',
  prints: ['webhook.url'],
})

/** Lists the deliveries of the webhook `WEBHOOK` that have not arrived. */
export const list_deliveries: Sample = {
  shell: `curl "{base_url}/deliveries?webhook=$WEBHOOK&status=pending,failed" -u "$SECRET_KEY:"`,
  typescript: `const query = new URLSearchParams({ webhook: process.env.WEBHOOK!, status: 'pending,failed' })
const response = await fetch(\`{base_url}/deliveries?\${query}\`, {
  headers: { Authorization: \`Basic \${btoa(\`\${process.env.SECRET_KEY}:\`)}\` },
})
const list = await response.json()
if (!response.ok) throw new Error(list.error.message)
for (const delivery of list.data) {
  const last = delivery.attempts.at(-1)
  console.log(delivery.id, delivery.event_type, delivery.next_attempt_at, last?.status_code ?? last?.error)
}`,
}

/** Sends the delivery `DELIVERY` again. */
export const redeliver: Sample = requestSample({
  method: 'POST',
  path: '/deliveries/$DELIVERY/redeliver',
  result: 'delivery',
  prints: ['delivery.status', 'delivery.next_attempt_at'],
})

/** Sends everything again that the webhook `WEBHOOK` has missed since `SINCE`. */
export const recover_webhook: Sample = requestSample({
  method: 'POST',
  path: '/webhooks/$WEBHOOK/recover',
  body: { since: '$SINCE' },
  result: 'webhook',
  prints: ['webhook.id'],
})

/** Replaces the secret of the webhook `WEBHOOK` by `NEW_WEBHOOK_SECRET`. The old secret signs for a day more. */
export const rotate_secret: Sample = requestSample({
  method: 'POST',
  path: '/webhooks/$WEBHOOK/rotate',
  body: { secret_token: '$NEW_WEBHOOK_SECRET', grace_seconds: 86400 },
  result: 'webhook',
  prints: ['webhook.id'],
})

/** Creates a payment in a convenience store, with a webhook of its own at `WEBHOOK_URL`. */
export const payment_with_webhook: Sample = requestSample({
  method: 'POST',
  path: '/payments',
  body: {
    amount: 1000,
    currency: 'JPY',
    payment_details: { type: 'konbini', store: 'lawson', email: 'taro@example.com' },
    webhooks: [{ url: '$WEBHOOK_URL', events: ['payment.captured', 'payment.expired'], secret_key: '$WEBHOOK_SECRET' }],
  },
  result: 'payment',
  prints: ['payment.id', 'payment.status'],
})

/**
 * Stores a verified delivery once, and keeps only the newest state of each payment. The program reads one event of a
 * payment from its standard input, and the headers from `DELIVERY` and `SEQUENCE`.
 */
export const store_once: Sample = {
  typescript: `import { readFileSync } from 'node:fs'

const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
const db = new DatabaseSync('shop.db')
db.exec(\`CREATE TABLE IF NOT EXISTS deliveries (id TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS payments (id TEXT PRIMARY KEY, status TEXT, sequence INTEGER)\`)

/** Returns false if this delivery was stored before. Call it after the verification, and answer 200 anyway. */
function storeOnce(id: string, sequence: number, event: { data: { id: string; status: string } }): boolean {
  db.exec('BEGIN IMMEDIATE')
  const { changes } = db.prepare('INSERT OR IGNORE INTO deliveries VALUES (?)').run(id)
  if (changes === 1)
    db.prepare(\`INSERT INTO payments VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE
      SET status = excluded.status, sequence = excluded.sequence
      WHERE excluded.sequence > payments.sequence\`).run(event.data.id, event.data.status, sequence)
  db.exec('COMMIT')
  return changes === 1
}

const event = JSON.parse(readFileSync(0, 'utf8'))
console.log(storeOnce(process.env.DELIVERY!, Number(process.env.SEQUENCE), event))
console.log(db.prepare('SELECT status FROM payments').get()!.status)`,
  python: `import json
import os
import sqlite3
import sys

db = sqlite3.connect("shop.db")
db.execute("CREATE TABLE IF NOT EXISTS deliveries (id TEXT PRIMARY KEY)")
db.execute("CREATE TABLE IF NOT EXISTS payments (id TEXT PRIMARY KEY, status TEXT, sequence INTEGER)")


def store_once(delivery, sequence, event):
    """Returns False if this delivery was stored before. Call it after the verification, and answer 200 anyway."""
    with db:
        stored = db.execute("INSERT OR IGNORE INTO deliveries VALUES (?)", [delivery])
        if stored.rowcount == 1:
            db.execute(
                """INSERT INTO payments VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE
                SET status = excluded.status, sequence = excluded.sequence
                WHERE excluded.sequence > payments.sequence""",
                [event["data"]["id"], event["data"]["status"], sequence],
            )
    return stored.rowcount == 1


print(store_once(os.environ["DELIVERY"], int(os.environ["SEQUENCE"]), json.load(sys.stdin)))
print(db.execute("SELECT status FROM payments").fetchone()[0])`,
}
