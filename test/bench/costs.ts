import { stacksOf } from '#test/fixtures/stage-stacks.ts'
import { allProperties, stageOf } from '#test/fixtures/stages.ts'
import { billFor } from './bill.ts'
import type { Cost } from './measured-platform.ts'
import { MINUTES_A_MONTH, monthlyUsage, type Stack, usageOfMetrics } from './monthly.ts'
import { type Behind, backgroundOperations, type Operation, requestOperations } from './operations.ts'
import { LISTS } from './platform-calls.ts'
import { dollarsFor, LOOKED_UP_ON, type Price, prices, REGION } from './prices.ts'
import { heading, note, table } from './report.ts'
import { addedUp, assumed, invocationUsage, type Usage } from './usage.ts'

const MILLION = 1_000_000
const services = [...new Set(Object.values(prices).map(({ service }) => service))]
/** A firewall is only before some stages, and a network is paid for by the month. */
const paid_services = services.filter((service) => service !== 'WAF' && service !== 'VPC')

function pricesTable(): void {
  heading('What the table, the functions and the rest cost')
  const unconfirmed = Object.values<Price>(prices).filter((price) => price.unconfirmed)
  note(
    `List prices of ${REGION} in US dollars, looked up on ${LOOKED_UP_ON} (test/bench/prices.ts says where), without free tiers and discounts.`,
    `Not found written down: ${unconfirmed.map(({ service, unit }) => `${service} ${unit}`).join(', ')}.`,
    'Units, calls, bytes and waits are measured as by `npm run bench`; the acquirer and its ledger are not ours to pay for.',
    `Assumed, and not measured: ${Object.entries(assumed)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}.`,
    'Not counted: cold starts, the storage of logs and files, what KMS does for table, bucket and queues, which keep their',
    'keys for minutes, and NAT by the gigabyte.',
  )
  note(LISTS)
}

function operationsTable(title: string, operations: readonly Operation[]): void {
  heading(title)
  const billed = operations.map((operation) => ({ ...operation, bill: billFor(operation.usage, MILLION) }))
  const rows = billed.toSorted((a, b) => b.bill.total - a.bill.total)
  table(
    ['what', 'with', 'RU', 'WU', 'KMS', 'S3', 'SQS', 'ms', 'log bytes', ...paid_services, '$ in all'],
    rows.map(({ what, as, cost, usage, bill: { by_service, total } }) => [
      ...[what, as, cost.read_units, cost.write_units, cost.vault_calls, cost.bucket_calls, usage.queue_call ?? 0],
      Math.round(((usage.gigabyte_second ?? 0) / assumed.memory_gigabytes) * 1000),
      Math.round((usage.log_gigabyte ?? 0) * 1024 ** 3),
      ...paid_services.map((service) => dollars(by_service[service])),
      dollars(total),
    ]),
  )
}

function togetherTable(requests: readonly Operation[], { operations }: Behind): void {
  heading('A million payments by card, each told to one webhook')
  const usageOf = (what: string, as = ''): Usage =>
    [...requests, ...operations].find((operation) => operation.what === what && operation.as === as)!.usage
  const told = [usageOf('an event told to one webhook'), usageOf('a delivery')]
  const usage = addedUp(usageOf('POST /payments', 'a card, Idempotency-Key'), ...told)
  const bills = [
    ['without a firewall', billFor(usage, MILLION)],
    ['behind a firewall', billFor(addedUp(usage, { firewall_request: 1 }), MILLION)],
  ] as const
  const columns = services.filter((service) => service !== 'VPC')
  table(
    ['', ...columns, '$ in all'],
    bills.map(([name, { by_service, total }]) => [
      name,
      ...columns.map((service) => dollars(by_service[service])),
      dollars(total),
    ]),
  )
}

function storageTable({ payment }: Behind): void {
  heading('What one payment by card, told to one webhook, leaves in the table')
  const monthly = (bytes: number) => {
    const gigabytes = (bytes * MILLION) / 1024 ** 3
    return dollars(dollarsFor('table_gigabyte', gigabytes) + dollarsFor('backup_gigabyte', gigabytes))
  }
  table(
    ['', 'items', 'bytes', '$ a month for a million'],
    [
      ['stays', payment.items, payment.bytes, monthly(payment.bytes)],
      ['goes after a time', payment.passing_items, payment.passing_bytes, monthly(payment.passing_bytes)],
    ],
  )
}

function monthTable(idle_sweep: Cost): void {
  heading('A month of a stage that nobody uses')
  note(
    'Metrics that are made from the log cost nothing before their lines are written; a stage in use adds at most the last column.',
  )
  const sweeps = billFor(invocationUsage(idle_sweep), MINUTES_A_MONTH)
  const stages = ['dev', 'staging', 'prod'].map((name) => ({ as: name, stage: stageOf(name) }))
  const fixed = stageOf('prod', { fixed_addresses: allProperties.fixed_addresses })
  table(
    ['stage', 'KMS', 'WAF', 'CloudWatch', 'SQS', 'VPC', 'sweeps', '$ in all', 'in use, besides'],
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
operationsTable('A million requests of each row of the API, the dearest first', requests)
operationsTable('A million of what happens by itself', background.operations)
togetherTable(requests, background)
storageTable(background)
monthTable(background.idle_sweep)
