import * as v from 'valibot'
import { brandRowOf, isPast } from '#shared/domain/card.ts'
import type { PaymentDetails, PaymentType } from '#shared/domain/payment-details.ts'
import { EXPIRY, tidied, typed_fields } from '#shared/domain/typed-fields.ts'
import { payment_details_object } from './payment-details.ts'

/** What is wrong with a field of a form. */
export type Fault = 'missing' | 'invalid'

/** A form on the page of a session, as its customer filled it in. */
export interface PaymentForm {
  /** The payment type of the form; undefined for a type that the session does not offer. */
  readonly chosen: PaymentType | undefined
  /** The values that the customer typed, secrets included. */
  readonly typed: Readonly<Record<string, string>>
  /** The fault of each field; empty if no field has one. */
  readonly faults: Readonly<Record<string, Fault>>
  readonly payment_details: PaymentDetails | undefined
}

/**
 * Reads the form of a payment type. `offered` lists the fields of each offered type. The result contains all faults by
 * the name of the field. A card's month and year come in one field, `expiry`. The form is stricter than the API, because
 * the customer is present: the name and the verification value of a card are required, the lengths of number and
 * verification value are those of the brand, telephone numbers have 7 to 15 digits, and names in kana are katakana.
 */
export function readPaymentForm(
  form: Readonly<Record<string, unknown>>,
  offered: Readonly<Partial<Record<PaymentType, readonly string[]>>>,
  now: number,
): PaymentForm {
  const chosen = (Object.keys(offered) as PaymentType[]).find((type) => type === form.type)
  const typed = chosen ? typedInto(form, offered[chosen] ?? []) : {}
  if (!chosen) return { chosen, typed, faults: {}, payment_details: undefined }
  const input = chosen === 'credit_card' ? cardOf(typed) : typed
  const result = v.safeParse(payment_details_object, { ...input, type: chosen })
  const faults = {
    ...faultsOf(result.issues ?? [], typed),
    ...patternFaults(typed),
    ...(chosen === 'credit_card' && cardFaults(typed, now)),
  }
  const payment_details = result.success && Object.keys(faults).length === 0 ? result.output : undefined
  return { chosen, typed, faults, payment_details }
}

/** Longer than any field allows. A longer value stays invalid, and is not sent back in full. */
const TYPED_LENGTH_MAX = 300

/** Returns the values that the customer typed into the fields of the form. */
function typedInto(form: Readonly<Record<string, unknown>>, fields: readonly string[]): Record<string, string> {
  const typed = fields.flatMap((name): [string, string][] => {
    const value = form[name]
    if (typeof value !== 'string') return []
    return [[name, tidied(name, value.trim().slice(0, TYPED_LENGTH_MAX))]]
  })
  return Object.fromEntries(typed)
}

const cardOf = (typed: Readonly<Record<string, string>>): Record<string, unknown> => {
  const [, month, year] = EXPIRY.exec(typed.expiry ?? '') ?? []
  return { ...typed, month, year }
}

const isOfPattern = (name: string, text: string): boolean => typed_fields[name]?.pattern?.test(text) ?? true

function patternFaults(typed: Readonly<Record<string, string>>): Record<string, Fault> {
  const wrong = Object.entries(typed).filter(([name, text]) => text !== '' && !isOfPattern(name, text))
  return Object.fromEntries(wrong.map(([name]) => [name, 'invalid' as const]))
}

/** Returns the additional faults of a card form: missing fields, wrong lengths for the brand and an expired card. */
function cardFaults(typed: Readonly<Record<string, string>>, now: number): Record<string, Fault> {
  const { number = '', verification_value = '' } = typed
  const [, month, year] = EXPIRY.exec(typed.expiry ?? '') ?? []
  const brand = brandRowOf(number)
  const invalid = [
    ...(month !== undefined && isPast(Number(month), 2000 + (Number(year) % 100), now) ? ['expiry'] : []),
    ...(brand && !brand.number_lengths.includes(number.length) ? ['number'] : []),
    ...(brand && verification_value.length !== brand.code_length ? ['verification_value'] : []),
  ]
  const missing = ['number', 'expiry', 'verification_value', 'name'].filter((name) => !typed[name])
  return {
    ...Object.fromEntries(invalid.map((name) => [name, 'invalid' as const])),
    ...Object.fromEntries(missing.map((name) => [name, 'missing' as const])),
  }
}

function faultsOf(issues: readonly v.BaseIssue<unknown>[], typed: Readonly<Record<string, string>>) {
  const names = issues.map(({ path }) => String(path?.[0]?.key ?? 'type'))
  const fields = names.map((name) => (name === 'month' || name === 'year' ? 'expiry' : name))
  return Object.fromEntries(fields.map((name): [string, Fault] => [name, typed[name] ? 'invalid' : 'missing']))
}
