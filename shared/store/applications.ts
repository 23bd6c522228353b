import type { Application, ApplicationRecord } from '#shared/domain/application.ts'
import { applicationKey } from './keys.ts'
import type { Kind } from './kind.ts'

/** The records of an application, of which a merchant has one of each name. */
export const applicationRecords: Kind<ApplicationRecord> = {
  name: 'application_record',
  key: (merchant, { name }) => applicationKey(merchant, name),
}

/** Where the application stands. */
export const applications: Kind<Application> = {
  name: 'application',
  key: (merchant) => applicationKey(merchant, 'live_application'),
}
