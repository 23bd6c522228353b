import { iconsPath, pageUrl } from '#shared/domain/page-url.ts'
import type { Payment } from '#shared/domain/payment.ts'
import type { Session } from '#shared/domain/session.ts'
import { type SessionResource, session } from '#shared/resources/session.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/** Returns a session as a merchant sees it now. `payment` is that of its latest try. */
export const sessionView = (work: UnitOfWork, record: Session, payment?: Payment): SessionResource =>
  session(record, {
    payment,
    session_url: pageUrl(work, 'sessions', record.id),
    icons_path: iconsPath(work),
    now: work.now(),
  })
