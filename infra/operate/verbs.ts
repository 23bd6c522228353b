import { backfillAccountsVerb } from './account-verbs.ts'
import {
  approveApplication,
  listApplicationsVerb,
  rejectApplication,
  saveDocument,
  showApplication,
} from './application-verbs.ts'
import { backup, restore } from './backup-verbs.ts'
import { createMerchant, listKeys, revokeKey, rollKey } from './key-verbs.ts'
import { completeRefundRequest, rejectRefundRequest, showPayment } from './payment-verbs.ts'
import { propertyVerbs } from './property-verbs.ts'
import { quotasVerb } from './quota-verbs.ts'
import { reconcileVerb, redrive } from './table-verbs.ts'
import type { Verb } from './verb.ts'

/** All commands of the operator, by name. */
export const verbs: Readonly<Record<string, Verb>> = {
  'create-merchant': createMerchant,
  'backfill-accounts': backfillAccountsVerb,
  'list-keys': listKeys,
  'roll-key': rollKey,
  'revoke-key': revokeKey,
  'show-payment': showPayment,
  'complete-refund-request': completeRefundRequest,
  'reject-refund-request': rejectRefundRequest,
  'application list': listApplicationsVerb,
  'application show': showApplication,
  'application document': saveDocument,
  'application approve': approveApplication,
  'application reject': rejectApplication,
  redrive,
  reconcile: reconcileVerb,
  backup,
  restore,
  quotas: quotasVerb,
  ...propertyVerbs(),
}
