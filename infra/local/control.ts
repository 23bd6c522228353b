import { createMerchants } from '#shared/accounts/operator-keys.ts'
import { Refusal } from '#shared/domain/errors.ts'
import type { Payment } from '#shared/domain/payment.ts'
import { pay } from '#shared/domain/payment-decisions.ts'
import { type Decision, isAtProvider } from '#shared/domain/payment-states.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { type Answer, errorAnswer, fromUnknown, okAnswer } from '#shared/http/answers.ts'
import { baseUrl } from '#shared/http/base-url.ts'
import { seeAnswer } from '#shared/http/page-answers.ts'
import { decideOnPayment, endRequest } from '#shared/operations/decide-payment.ts'
import { payment } from '#shared/resources/payment.ts'
import { findItem } from '#shared/store/find-items.ts'
import { controlBody } from './control-body.ts'
import { demoSession } from './demo-session.ts'
import { diskFault } from './disk-fault.ts'
import { FILES_PATH } from './file-bucket.ts'
import type { GatewayEvent } from './gateway-event.ts'
import { acceptsPages, asksForHomePage, homePage } from './home-page.ts'
import { linkedFile } from './linked-file.ts'
import type { LocalPlatform } from './local-platform.ts'
import { refuseForeign } from './refuse-foreign.ts'
import type { Workers } from './workers.ts'

/** The maximum number of seconds by which one call advances the clock: a hundred years. */
const ADVANCE_SECONDS_MAX = 36_525 * 86_400

/**
 * Handles the endpoints that only a local run has, by method and path below `/_local`, and its home page. The endpoints
 * require no API key, so they accept only the requests that `refuseForeign` lets through. The home page has no effect
 * and contains no secret, so any page may lead to it. A link to a file is signed and needs no other permission,
 * as with S3, so it works from everywhere.
 */
export async function control(platform: LocalPlatform, workers: Workers, event: GatewayEvent): Promise<Answer> {
  const request_id = event.requestContext.requestId
  try {
    if (event.httpMethod === 'GET' && event.path.startsWith(FILES_PATH)) return await linkedFile(platform, event)
    if (asksForHomePage(event)) return await homePage(event, platform.own_server)
    refuseForeign(event, platform.own_server)
    const [, , thing = '', id = '', verb = ''] = event.path.split('/')
    const act = acts[[event.httpMethod, thing, ...(verb ? [verb] : [])].join(' ')]
    if (!act) throw new Refusal('not_found')
    const done = await act({ platform, workers, id, body: controlBody(event), base_url: baseUrl(event) })
    // The button of the home page leads a browser on to its session.
    if ('session_url' in done && acceptsPages(event)) return seeAnswer(String(done.session_url), request_id)
    return okAnswer(done, request_id)
  } catch (error) {
    return errorAnswer(fromUnknown(diskFault(error)), event)
  }
}

interface Call {
  readonly platform: LocalPlatform
  readonly workers: Workers
  readonly id: string
  readonly body: Record<string, unknown>
  readonly base_url: string
}

const acts: Readonly<Record<string, (call: Call) => Promise<object>>> = {
  'GET health': async ({ platform }) => ({ status: 'ok', now: timestamp(platform.clock.now()) }),

  'POST merchants': async ({ platform, body: { name } }) => createMerchants(platform, nameOf(name)),

  'POST clock': async ({ platform, workers, body: { advance } }) => {
    await workers.advanceTo(platform.clock.now() + secondsOf(advance) * 1000)
    return { now: timestamp(platform.clock.now()) }
  },

  'POST sessions': ({ platform, base_url }) => demoSession(platform, base_url),

  'POST payments pay': async ({ platform, id }) => {
    const item = await findItem(platform.table, { kind: 'payment' }, (one) => one.id === id)
    if (!item) throw new Refusal('not_found')
    return payment(await decideOnPayment(platform, item, payHere))
  },

  'POST refund_requests': async ({ platform, id, body: { status } }) => {
    if (status !== 'completed' && status !== 'rejected')
      throw new Refusal('invalid_parameter', { param: 'status', message: 'status must be completed or rejected.' })
    return payment(await endRequest(platform, { id, status }))
  },
}

/** Pays a payment of the sandbox. Refuses with `unprocessable_entity` a payment at a provider: its customer pays there. */
function payHere(current: Payment, now: number): Decision {
  if (isAtProvider(current))
    throw new Refusal('unprocessable_entity', { message: 'The customer pays this payment at its provider.' })
  return pay(current, now)
}

/** Returns the seconds of a clock call. Refuses what is no number of seconds with `invalid_parameter`. */
function secondsOf(advance: unknown): number {
  const is_text = typeof advance === 'string' && advance.trim() !== ''
  const seconds = is_text || typeof advance === 'number' ? Number(advance) : Number.NaN
  if (seconds >= 0 && seconds <= ADVANCE_SECONDS_MAX) return seconds
  throw new Refusal('invalid_parameter', {
    param: 'advance',
    message: `advance must be a number of seconds from 0 to ${ADVANCE_SECONDS_MAX}, such as 86400 for a day.`,
  })
}

const NAME_LENGTH_MAX = 255

/** Returns the name of a new merchant, if one is given. Refuses any other value with `invalid_parameter`. */
function nameOf(name: unknown): string | undefined {
  if (name === undefined || name === null) return undefined
  if (typeof name === 'string' && name.length <= NAME_LENGTH_MAX) return name
  throw new Refusal('invalid_parameter', {
    param: 'name',
    message: `name must be a text of at most ${NAME_LENGTH_MAX} characters.`,
  })
}
