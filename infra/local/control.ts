import { randomBytes } from 'node:crypto'
import { Refusal } from '#shared/domain/errors.ts'
import { idOf } from '#shared/domain/ids.ts'
import type { Payment } from '#shared/domain/payment.ts'
import { endRefundRequest, pay } from '#shared/domain/payment-events.ts'
import type { Decision } from '#shared/domain/payment-states.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { type Answer, errorAnswer, fromUnknown, okAnswer } from '#shared/http/answers.ts'
import { payment } from '#shared/resources/payment.ts'
import { changed } from '#shared/store/change.ts'
import { merchantAndId } from '#shared/store/keys.ts'
import { newMerchants } from '#shared/store/merchants.ts'
import { payments } from '#shared/store/payments.ts'
import { completionOf } from '#shared/store/sessions.ts'
import { startingOver } from '#shared/store/start-over.ts'
import { Work } from '#shared/store/work.ts'
import { FILES_PATH } from './file-bucket.ts'
import type { GatewayEvent } from './gateway-event.ts'
import { linkedFile } from './linked-file.ts'
import type { LocalPlatform } from './local-platform.ts'
import type { Workers } from './workers.ts'

/** The longest way that the clock goes at once: a hundred years. */
const ADVANCE_SECONDS_MAX = 36_525 * 86_400

/** What only a local run can do, by method and path behind `/_local`. It asks for no key. */
export async function control(platform: LocalPlatform, workers: Workers, event: GatewayEvent): Promise<Answer> {
  const request_id = event.requestContext.requestId
  try {
    if (event.httpMethod === 'GET' && event.path.startsWith(FILES_PATH)) return await linkedFile(platform, event)
    const [, , thing = '', id = '', verb = ''] = event.path.split('/')
    const act = acts[[event.httpMethod, thing, ...(verb ? [verb] : [])].join(' ')]
    if (!act) throw new Refusal('not_found')
    return okAnswer(await act({ platform, workers, id, body: bodyOf(event) }), request_id)
  } catch (error) {
    return errorAnswer(fromUnknown(error), request_id)
  }
}

interface Call {
  readonly platform: LocalPlatform
  readonly workers: Workers
  readonly id: string
  readonly body: Record<string, unknown>
}

const acts: Readonly<Record<string, (call: Call) => Promise<object>>> = {
  'GET health': async ({ platform }) => ({ status: 'ok', now: timestamp(platform.clock.now()) }),

  'POST merchants': async ({ platform }) => {
    const { merchants, writes } = newMerchants(platform.clock.now())
    await platform.table.write(writes)
    return merchants
  },

  'POST clock': async ({ platform, workers, body }) => {
    const seconds = body.advance === null ? Number.NaN : Number(body.advance)
    if (!(seconds >= 0 && seconds <= ADVANCE_SECONDS_MAX))
      throw new Refusal('invalid_parameter', {
        param: 'advance',
        message: `advance must be seconds from 0 to ${ADVANCE_SECONDS_MAX}.`,
      })
    await workers.advanceTo(platform.clock.now() + seconds * 1000)
    return { now: timestamp(platform.clock.now()) }
  },

  'POST payments pay': async ({ platform, id }) => {
    const record = await decide(
      platform,
      ({ id: payment_id }) => payment_id === id,
      (current, now) => pay(current, now),
    )
    return payment(record)
  },

  'POST refund_requests': async ({ platform, id, body: { status } }) => {
    if (status !== 'completed' && status !== 'rejected')
      throw new Refusal('invalid_parameter', { param: 'status', message: 'status must be completed or rejected.' })
    const record = await decide(
      platform,
      ({ refund_requests }) => refund_requests.some((request) => request.id === id),
      (current, now) => endRefundRequest(current, id, status, { refund_id: idOf('refund', now, randomBytes(16)), now }),
    )
    return payment(record)
  },
}

/** Decides on the payment that fits, whosever it is, and commits. */
async function decide(
  platform: LocalPlatform,
  fits: (payment: Payment) => boolean,
  decision: (payment: Payment, now: number) => Decision,
): Promise<Payment> {
  const item = platform.table.items().find(({ sk, ...rest }) => sk === 'payment' && fits(rest as unknown as Payment))
  if (!item) throw new Refusal('not_found')
  const { merchant, id } = merchantAndId(item.pk)
  const work = new Work({ platform, merchant, mode: 'test' })
  return startingOver(work, async () => {
    const current = await work.get(payments, id)
    const { next, events } = decision(current, work.now())
    if (next !== current)
      await work.commit([changed(payments, next, events, { owed: true }), ...(await completionOf(work, current, next))])
    return next
  })
}

function bodyOf({ body }: GatewayEvent): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body ?? '', 'base64').toString() || '{}')
    return parsed && typeof parsed === 'object' ? (parsed as Record<string, unknown>) : {}
  } catch {
    throw new Refusal('bad_request')
  }
}
