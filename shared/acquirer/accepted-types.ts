import { Refusal } from '#shared/domain/errors.ts'
import { type PaymentType, payment_type_rows, payment_types } from '#shared/domain/payment-details.ts'
import { konbini_stores } from '#shared/domain/session-methods.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import type { Acquirer, WantedOrder } from './acquirer.ts'
import { acquirerOf, providerOf } from './acquirers.ts'

/** The price of the payments to make: amount and tax together, in the currency's smallest unit. */
export interface WantedPrice {
  readonly amount: number
  readonly currency: string
}

/**
 * Returns the payment types that the merchant's acquirer can charge, for payments of any price or of this price. On a
 * stage without an acquirer, these are all types.
 */
export function acceptedTypes(work: UnitOfWork, price?: WantedPrice): readonly PaymentType[] {
  if (providerOf(work, work.mode) === null) return payment_types
  const acquirer = acquirerOf(work, work.mode)
  return payment_types.filter((type) => refusalOf(acquirer, wantedAt(type, price)) === undefined)
}

/**
 * Returns the payment types that the merchant's acquirer can charge at a price. If there are none, refuses as the
 * acquirer refuses a card.
 */
export function refuseUnpayable(work: UnitOfWork, price: WantedPrice): readonly PaymentType[] {
  const types = acceptedTypes(work, price)
  if (types.length === 0) acquirerOf(work, work.mode).accepts(wantedAt('credit_card', price))
  return types
}

/**
 * Returns the convenience stores in which the merchant's acquirer can take payments; none if it has no payments at
 * convenience stores. On a stage without an acquirer, these are all stores.
 */
export function acceptedStores(work: UnitOfWork): readonly string[] {
  if (providerOf(work, work.mode) === null) return konbini_stores
  const acquirer = acquirerOf(work, work.mode)
  const wanted = wantedAt('konbini', undefined)
  return konbini_stores.filter((brand) => refusalOf(acquirer, { ...wanted, brand }) === undefined)
}

const wantedAt = (type: PaymentType, price: WantedPrice | undefined): WantedOrder => ({
  type,
  brand: null,
  currency: price?.currency ?? null,
  amount: price ? price.amount + payment_type_rows[type].fee : null,
  deadline: null,
})

function refusalOf(acquirer: Acquirer, wanted: WantedOrder): Refusal | undefined {
  try {
    acquirer.accepts(wanted)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
