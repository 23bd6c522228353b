import { Refusal } from '#shared/domain/errors.ts'
import { pageUrl } from '#shared/domain/page-url.ts'
import { CreateSession } from '#shared/resources/create-session.ts'
import { parse } from '#shared/resources/parse.ts'
import { createSession } from '#shared/sessions/create-session.ts'
import { findItem } from '#shared/store/find-items.ts'
import { recordOf } from '#shared/store/kind.ts'
import { merchants } from '#shared/store/merchants.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import type { LocalPlatform } from './local-platform.ts'

/** A demo session: its id, and the address at which a customer pays it. */
interface DemoSession {
  readonly id: string
  readonly session_url: string
}

/**
 * Creates a session of the oldest test merchant, which is the demo merchant. After the payment, the customer can return
 * to the home page of the local run, at `base_url`. Refuses with `not_found` if there is no test merchant.
 */
export async function demoSession(platform: LocalPlatform, base_url: string): Promise<DemoSession> {
  const item = await findItem(platform.table, { kind: 'merchant' }, ({ mode }) => mode === 'test')
  if (!item) throw new Refusal('not_found', { message: 'Create a merchant first: POST /_local/merchants.' })
  const work = new UnitOfWork({ platform, merchant: recordOf(merchants, item).id, mode: 'test', base_url })
  const order = { amount: 1_000, currency: 'JPY', default_locale: 'en', return_url: `${base_url}/` }
  const { changes, answer } = await createSession(work, parse(CreateSession, order))
  await work.commit(changes)
  return { id: answer.id, session_url: pageUrl(work, 'sessions', answer.id) }
}
