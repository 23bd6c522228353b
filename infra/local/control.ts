import { createMerchants } from '#shared/accounts/operator-keys.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { pay } from '#shared/domain/payment-decisions.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { type Answer, errorAnswer, fromUnknown, okAnswer } from '#shared/http/answers.ts'
import { decideOnPayment, endRequest } from '#shared/operations/decide-payment.ts'
import { payment } from '#shared/resources/payment.ts'
import { findItem } from '#shared/store/find-items.ts'
import { diskFault } from './disk-fault.ts'
import { FILES_PATH } from './file-bucket.ts'
import type { GatewayEvent } from './gateway-event.ts'
import { linkedFile } from './linked-file.ts'
import type { LocalPlatform } from './local-platform.ts'
import { refuseForeign } from './refuse-foreign.ts'
import type { Workers } from './workers.ts'

/** The maximum number of seconds by which one call advances the clock: a hundred years. */
const ADVANCE_SECONDS_MAX = 36_525 * 86_400

/**
 * Handles the endpoints that only a local run has, by method and path below `/_local`. They require no API key, so they
 * accept only the requests that `refuseForeign` lets through. A link to a file is signed and needs no other permission,
 * as with S3, so it works from everywhere.
 */
export async function control(platform: LocalPlatform, workers: Workers, event: GatewayEvent): Promise<Answer> {
  const request_id = event.requestContext.requestId
  try {
    if (event.httpMethod === 'GET' && event.path.startsWith(FILES_PATH)) return await linkedFile(platform, event)
    refuseForeign(event, platform.own_server)
    const [, , thing = '', id = '', verb = ''] = event.path.split('/')
    const act = acts[[event.httpMethod, thing, ...(verb ? [verb] : [])].join(' ')]
    if (!act) throw new Refusal('not_found')
    return okAnswer(await act({ platform, workers, id, body: bodyOf(event) }), request_id)
  } catch (error) {
    return errorAnswer(fromUnknown(diskFault(error)), event)
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

  'POST merchants': async ({ platform, body: { name } }) =>
    createMerchants(platform, typeof name === 'string' && name.length <= 255 ? name : undefined),

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
    const item = await findItem(platform.table, { kind: 'payment' }, (one) => one.id === id)
    if (!item) throw new Refusal('not_found')
    return payment(await decideOnPayment(platform, item, pay))
  },

  'POST refund_requests': async ({ platform, id, body: { status } }) => {
    if (status !== 'completed' && status !== 'rejected')
      throw new Refusal('invalid_parameter', { param: 'status', message: 'status must be completed or rejected.' })
    return payment(await endRequest(platform, { id, status }))
  },
}

function bodyOf({ body }: GatewayEvent): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body ?? '', 'base64').toString() || '{}')
    return parsed && typeof parsed === 'object' ? (parsed as Record<string, unknown>) : {}
  } catch {
    throw new Refusal('bad_request')
  }
}
