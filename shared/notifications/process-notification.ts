import { OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { nextInquiryAt } from '#shared/acquirer/inquiry-schedule.ts'
import type { PaymentReport, Reports } from '#shared/acquirer/reports.ts'
import type { ReportedPayment } from '#shared/domain/follow-payment.ts'
import { ended, type Notification, triedAgain } from '#shared/domain/notification.ts'
import type { Payment } from '#shared/domain/payment.ts'
import { isAtProvider } from '#shared/domain/payment-states.ts'
import { type Message, PlatformUnavailable } from '#shared/platform/ports.ts'
import { chargeOf } from '#shared/store/attempts.ts'
import { changed } from '#shared/store/change.ts'
import { merchantKey } from '#shared/store/keys.ts'
import { merchants } from '#shared/store/merchants.ts'
import { notifications } from '#shared/store/notifications.ts'
import { payments } from '#shared/store/payments.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'

/** How long the provider may take to respond to a look-up, in milliseconds. */
const REPORT_WITHIN_MS = 10_000

/** What the processing of notifications causes: look-ups at the provider, and the change of a payment. */
export interface Effects {
  readonly reports: Reports
  /** Brings a payment to the state that is reported. Repeating it changes nothing more. `reportAgain` looks it up anew. */
  follow(
    work: UnitOfWork,
    payment: Payment,
    state: ReportedPayment,
    reportAgain: () => Promise<ReportedPayment | undefined>,
  ): Promise<void>
}

/**
 * Looks up the object of a notification at the provider, and brings its payment to the state found there. The content
 * of the notification is not used, so neither the order of notifications nor their repetition matters. If the provider
 * does not respond, or the payment is not stored yet, the notification falls due again by the schedule of inquiries.
 * After the last try, an error is logged, because an operator must act. A message with an outdated due time is dropped.
 */
export async function processNotification(
  work: UnitOfWork,
  { pk, sk, due_at }: Message,
  effects: Effects,
): Promise<void> {
  const notification = await work.at(notifications, { pk, sk })
  if (!notification || notification.process_at !== due_at) return
  const status = await resultOf(work, notification, effects)
  if (status) return work.commit([changed(notifications, ended(notification, status))])
  const next = triedAgain(notification, nextInquiryAt(notification.tries, work.now()))
  await work.commit([changed(notifications, next)])
  if (next.status === 'given_up')
    work.platform.log({ level: 'error', event: 'notification_given_up', record: notification.event })
}

/**
 * Whether a report is about another charge than that of the payment which it names. Anyone who can create charges in the
 * account at the provider can give them the ids of a payment, so an operator must look.
 */
async function isOfAnother(work: UnitOfWork, payment: Payment, { reference }: PaymentReport): Promise<boolean> {
  const charge = await chargeOf(work, payment)
  if (isAtProvider(payment) && (!charge?.reference || charge.reference === reference)) return false
  work.platform.log({
    ...{ level: 'error', event: 'provider_disagrees', merchant: work.merchant, payment: payment.id },
    record: reference,
  })
  return true
}

const reportedIn = ({ state, reference }: PaymentReport): ReportedPayment => ({ ...state, reference })

/** Follows the report of a notification and returns what became of the notification; undefined if it must wait. */
async function resultOf(
  { platform }: UnitOfWork,
  { type, object }: Notification,
  { reports, follow }: Effects,
): Promise<'followed' | 'dropped' | undefined> {
  const lookUp = () => reports.report(type, object, REPORT_WITHIN_MS)
  try {
    const report = await lookUp()
    if (!report) return 'dropped'
    const { merchant } = report
    const work = new UnitOfWork({ platform, merchant, mode: 'live' })
    const [known, payment] = await Promise.all([
      work.at(merchants, merchantKey(merchant)),
      work.find(payments, report.payment),
    ])
    // The notification can arrive before the transaction that stores the payment is committed.
    if (!known || !payment) return undefined
    if (await isOfAnother(work, payment, report)) return 'dropped'
    await follow(work, payment, reportedIn(report), async () => {
      const again = await lookUp()
      return again ? reportedIn(again) : undefined
    })
    return 'followed'
  } catch (error) {
    if (error instanceof OutcomeUnknown || error instanceof PlatformUnavailable) return undefined
    throw error
  }
}
