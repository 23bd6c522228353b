import { stacksOf } from '#test/fixtures/stage-stacks.ts'
import { allProperties, stageOf } from '#test/fixtures/stages.ts'
import { billFor } from './bill.ts'
import { itemisedWrites } from './itemised-writes.ts'
import type { Cost } from './measured-platform.ts'
import { MINUTES_A_MONTH, monthlyUsage, type Stack, usageOfMetrics } from './monthly.ts'
import { type Background, backgroundOperations, type Operation, requestOperations } from './operations.ts'
import { LISTS } from './platform-calls.ts'
import { dollarsFor, LOOKED_UP_ON, type Price, prices, REGION } from './prices.ts'
import { heading, note, table } from './report.ts'
import { addedUp, assumed, invocationUsage, type Usage } from './usage.ts'

const MILLION = 1_000_000
const services = [...new Set(Object.values(prices).map(({ service }) => service))]
/** Only some stages have a firewall, and a network is paid per month. */
const paid_services = services.filter((service) => service !== 'WAF' && service !== 'VPC')

function pricesTable(): void {
  heading('The prices')
  const unconfirmed = Object.values<Price>(prices).filter((price) => price.unconfirmed)
  note(
    `List prices of ${REGION} in US dollars, looked up on ${LOOKED_UP_ON} (sources in test/bench/prices.ts), without free tiers and discounts.`,
    `Without a source: ${unconfirmed.map(({ service, unit }) => `${service} ${unit}`).join(', ')}.`,
    'Units, calls, bytes and waits are measured as by `npm run bench`; the acquirer and its ledger are not included.',
    `Assumed, not measured: ${Object.entries(assumed)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}.`,
    'Not included: cold starts, storage of logs and files, the KMS calls of table, bucket and queues, which cache their',
    'keys for minutes, and traffic through NAT gateways.',
  )
  note(LISTS)
}

function operationsTable(title: string, operations: readonly Operation[]): void {
  heading(title)
  const billed = operations.map((operation) => ({ ...operation, bill: billFor(operation.usage, MILLION) }))
  const rows = billed.toSorted((a, b) => b.bill.total - a.bill.total)
  table(
    ['what', 'with', 'RU', 'WU', 'KMS', 'S3', 'SQS', 'ms', 'log bytes', ...paid_services, '$ total'],
    rows.map(({ what, as, cost, usage, bill: { by_service, total } }) => [
      ...[what, as, cost.read_units, cost.write_units, cost.vault_calls, cost.bucket_calls, usage.queue_call ?? 0],
      Math.round(((usage.gigabyte_second ?? 0) / assumed.memory_gigabytes) * 1000),
      Math.round((usage.log_gigabyte ?? 0) * 1024 ** 3),
      ...paid_services.map((service) => dollars(by_service[service])),
      dollars(total),
    ]),
  )
}

function togetherTable(requests: readonly Operation[], { operations }: Background): void {
  heading('A million card payments, each delivered to one webhook')
  const usageOf = (what: string, as = ''): Usage =>
    [...requests, ...operations].find((operation) => operation.what === what && operation.as === as)!.usage
  const delivery = [usageOf('fan-out to one webhook'), usageOf('a delivery')]
  const usage = addedUp(usageOf('POST /payments', 'a card, Idempotency-Key'), ...delivery)
  const bills = [
    ['without a firewall', billFor(usage, MILLION)],
    ['behind a firewall', billFor(addedUp(usage, { firewall_request: 1 }), MILLION)],
  ] as const
  const columns = services.filter((service) => service !== 'VPC')
  table(
    ['', ...columns, '$ total'],
    bills.map(([name, { by_service, total }]) => [
      name,
      ...columns.map((service) => dollars(by_service[service])),
      dollars(total),
    ]),
  )
}

function storageTable({ payment }: Background): void {
  heading('The items of one card payment that is delivered to one webhook')
  const monthly = (bytes: number) => {
    const gigabytes = (bytes * MILLION) / 1024 ** 3
    return dollars(dollarsFor('table_gigabyte', gigabytes) + dollarsFor('backup_gigabyte', gigabytes))
  }
  table(
    ['', 'items', 'bytes', '$ per month for a million'],
    [
      ['permanent', payment.items, payment.bytes, monthly(payment.bytes)],
      ['with a TTL', payment.passing_items, payment.passing_bytes, monthly(payment.passing_bytes)],
    ],
  )
}

function monthTable(idle_sweep: Cost): void {
  heading('A month of an unused stage')
  note(
    'Metrics of log lines cost nothing until the first line is written. A stage in use adds at most the last column.',
  )
  const sweeps = billFor(invocationUsage(idle_sweep), MINUTES_A_MONTH)
  const stages = ['dev', 'staging', 'prod'].map((name) => ({ as: name, stage: stageOf(name) }))
  const fixed = stageOf('prod', { fixed_addresses: allProperties.fixed_addresses })
  table(
    ['stage', 'KMS', 'WAF', 'CloudWatch', 'SQS', 'VPC', 'sweeps', '$ total', 'in use, added'],
    [...stages, { as: 'prod, fixed addresses', stage: fixed }].map(({ as, stage }) => {
      const stacks = Object.values(stacksOf(stage)).map((template) => template.toJSON() as Stack)
      const { by_service, total } = billFor(monthlyUsage(stacks), 1)
      return [
        as,
        ...(['KMS', 'WAF', 'CloudWatch', 'SQS', 'VPC'] as const).map((service) => dollars(by_service[service])),
        dollars(sweeps.total),
        dollars(total + sweeps.total),
        dollars(billFor(usageOfMetrics(stacks), 1).total),
      ]
    }),
  )
}

function dollars(value = 0): string {
  return value.toFixed(2)
}

const requests = await requestOperations()
const background = await backgroundOperations()
pricesTable()
operationsTable('A million requests of each route of the API, the most expensive first', requests)
operationsTable('A million of each background operation', background.operations)
togetherTable(requests, background)
await itemisedWrites()
storageTable(background)
monthTable(background.idle_sweep)
