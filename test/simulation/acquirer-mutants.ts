import { AsyncLocalStorage } from 'node:async_hooks'
import type { Acquirer } from '#shared/acquirer/acquirer.ts'
import type { PaymentReport, Reports } from '#shared/acquirer/reports.ts'
import { reportedPayment } from '#shared/acquirer/stripe/reported-payment.ts'
import type { Payment } from '#shared/domain/payment.ts'
import { isOverdue } from '#shared/domain/payment-deadline.ts'
import { expire } from '#shared/domain/payment-decisions.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Effects } from '#shared/notifications/process-notification.ts'
import { followPayment } from '#shared/payments/follow-payment.ts'
import { withVoid } from '#shared/payments/record-outcome.ts'
import type { Message, Write } from '#shared/platform/ports.ts'
import { attempts } from '#shared/store/attempts.ts'
import { changed } from '#shared/store/change.ts'
import { merchantAndId } from '#shared/store/keys.ts'
import { payments } from '#shared/store/payments.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import type { StripeEmulator } from '#test/fixtures/stripe/emulator.ts'
import type { PaymentIntent } from '#test/fixtures/stripe/objects.ts'
import type { AcquirerInvariant } from './acquirer-invariants.ts'
import type { ApiCall, NetworkChange } from './acquirer-network.ts'
import { getting, omitting, overwriting, type Put, putting, undue, unswept } from './mutants.ts'
import type { Mutant } from './platform.ts'

/** A deliberate fault in the service or in its adapter of the provider. */
export interface AcquirerMutant extends Mutant, NetworkChange {
  /** Returns the acquirer as the service sees it. `now` is in epoch milliseconds. */
  readonly acquirer?: (acquirer: Acquirer, now: () => number) => Acquirer
  readonly reports?: (reports: Reports, emulator: StripeEmulator) => Reports
  readonly follow?: Effects['follow']
  /** Does the work at the deadline of a payment. */
  readonly expire?: (work: UnitOfWork, message: Message) => Promise<void>
}

type AcquirerMutants = Readonly<Record<string, AcquirerMutant & { readonly breaks: AcquirerInvariant }>>

/** Marks the requests of an order that is sent, in contrast to those of an inquiry. */
const sending = new AsyncLocalStorage<true>()

const isCreation = ({ method, path }: ApiCall): boolean => method === 'POST' && path === '/v1/payment_intents'

/** Faulty versions of payments at a provider. */
export const acquirer_mutants: AcquirerMutants = {
  'creates a charge again under a key that the provider has forgotten': {
    breaks: 'one_charge',
    acquirer: (acquirer, now) => ({
      ...acquirer,
      inquire: (order, options, within) => acquirer.inquire({ ...order, sent_at: timestamp(now()) }, options, within),
    }),
  },
  'gives a charge up without its cancellation': {
    breaks: 'given_up_for_good',
    only: 'arrives_late',
    acquirer: (acquirer) => ({
      ...acquirer,
      inquire: (order, _options, within) => acquirer.inquire(order, { final: false }, within),
    }),
  },
  'sends a refund again without its key and without a look-up': {
    breaks: 'equal_books',
    acquirer: (acquirer, now) => ({
      ...acquirer,
      send: (order, within) => acquirer.send({ ...order, sent_at: timestamp(now()) }, within),
      inquire: async (order, options, within) =>
        order.operation === 'refund' ? { result: 'never_arrived' } : acquirer.inquire(order, options, within),
    }),
    request(call) {
      const { 'idempotency-key': _, ...headers } = call.headers
      return call.method === 'POST' && call.path === '/v1/refunds' ? { ...call, headers } : call
    },
  },
  'creates a charge with its payment method': {
    breaks: 'same_request_per_key',
    acquirer: (acquirer) => ({
      ...acquirer,
      send: (order, within) => sending.run(true, () => acquirer.send(order, within)),
    }),
    request: (call) =>
      sending.getStore() && isCreation(call) && call.body.includes('=card')
        ? { ...call, body: `${call.body}&payment_method=pm_card_visa` }
        : call,
  },
  'expires a payment before it is voided': { breaks: 'ended_without_money', expire: expireAtOnce },
  'trusts the content of a notification': {
    breaks: 'alarms_are_true',
    reports: (reports, { account }) => ({
      ...reports,
      async report(type, object, within) {
        const event = [...account.events.values()].find(
          (one) => one.type === type && (one.data.object as { id: string }).id === object,
        )
        const intent = event?.data.object as PaymentIntent | undefined
        return intent?.object === 'payment_intent' ? reportOf(intent) : reports.report(type, object, within)
      },
    }),
  },
  'never looks up a payment that waits for its customer': {
    breaks: 'paid_in_time',
    ...putting((item) => (item.watch_at ? { ...undue(item), watch_at: null } : item)),
  },
  'keeps a recorded decline when the charge succeeds later': {
    breaks: 'ended_without_money',
    // The same charge is confirmed again after its decline, as by a confirmation that arrives late.
    acquirer: (acquirer) => ({
      ...acquirer,
      async send(order, within) {
        const outcome = await acquirer.send(order, within)
        if (order.operation === 'charge' && outcome.result === 'declined') await acquirer.send(order, within)
        return outcome
      },
    }),
    async follow(...input) {
      const [, payment] = input
      if (payment.status !== 'failed') await followPayment(...input)
    },
  },
}

/** Faulty versions that break the invariants which no provider is needed for. */
export const other_acquirer_mutants: AcquirerMutants = {
  'captures a payment without its event': {
    breaks: 'events_of_states',
    ...omitting((write) => isPut(write, 'event') && write.put.type === 'payment.captured'),
  },
  'fails on a charge': {
    breaks: 'processes_end',
    ...getting((item, pk, { kind }) => {
      if (kind === 'chores' && item?.operation === 'charge') throw new TypeError(`no ${pk}`)
      return item
    }),
  },
  'writes without a version check': { breaks: 'no_lost_update', ...overwriting('payment') },
  'never sweeps payments': { breaks: 'all_work_done', ...unswept('due#payment') },
}

const isPut = (write: Write, kind: string): write is Put => 'put' in write && write.put.sk === kind

/** The report of a PaymentIntent as an event shows it. */
function reportOf(intent: PaymentIntent): PaymentReport {
  const { merchant = '', payment = '' } = intent.metadata
  return { merchant, payment, reference: intent.id, state: reportedPayment(intent as never) }
}

/** Expires a payment at its deadline as the sandbox does: the void comes after the expiry. */
async function expireAtOnce(work: UnitOfWork, { pk, due_at }: Message): Promise<void> {
  const payment: Payment | undefined = await work.find(payments, merchantAndId(pk).id)
  if (!payment || payment.payment_deadline !== due_at || !isOverdue(payment, work.now())) return
  const { next, events } = expire(payment)
  const voiding = withVoid(work, next)
  await work.commit([
    changed(payments, voiding.next, events, { must_record: true }),
    changed(attempts, voiding.attempt),
  ])
}
