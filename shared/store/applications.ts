import type { Application, ApplicationRecord } from '#shared/domain/application.ts'
import { applicationKey } from './keys.ts'
import type { Kind } from './kind.ts'

/** The onboarding records of a merchant's application for live payments. A merchant has one record of each name. */
export const applicationRecords: Kind<ApplicationRecord> = {
  name: 'application_record',
  key: (merchant, { name }) => applicationKey(merchant, name),
}

/** The status of a merchant's application for live payments. */
export const applications: Kind<Application> = {
  name: 'application',
  key: (merchant) => applicationKey(merchant, 'live_application'),
}
