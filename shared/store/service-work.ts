import type { Item, Platform } from '#shared/platform/ports.ts'
import { UnitOfWork } from './unit-of-work.ts'

/** Returns a unit of work on records that belong to the service and to no merchant, such as notifications. */
export const serviceWork = (platform: Platform, known: readonly Item[] = []): UnitOfWork =>
  new UnitOfWork({ platform, merchant: '', mode: 'live', known })
