import { html } from 'hono/html'
import type { PaymentType } from '#shared/domain/payment-details.ts'
import type { Locale } from '#shared/domain/session.ts'
import type { Html } from '#shared/pages/html-page.ts'
import { carriers, stores } from '#shared/pages/texts/choices.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { type FieldName, field_inputs, isOptional } from './payment-form.ts'

/** One field of one form, with its value and its fault. */
export interface FormField {
  readonly type: PaymentType
  readonly name: FieldName
  readonly locale: Locale
  readonly value: string
  readonly fault?: 'missing' | 'invalid'
  /** The convenience stores among which the customer can choose. */
  readonly stores: readonly string[]
}

/** Returns the id of a field. The id includes the type of payment, because the page has a form for each type. */
export const fieldId = (type: PaymentType, name: FieldName): string => `${type}-${name}`

/** Returns a field with its label, hint and fault, connected so that a screen reader reads them together. */
export function formField(field: FormField): Html {
  const { name, fault, locale } = field
  const id = fieldId(field.type, name)
  const { hint, ...text } = texts[locale].fields[name]
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  const optional = isOptional(field.type, name)
  // The bracket of Japanese has its own space.
  const note = html`${locale === 'ja' ? '' : ' '}<small>${texts[locale].optional}</small>`
  const label = html`${text.label}${optional ? note : ''}`
  const notes = html`${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : ''}${
    fault ? html`<p class="fault" id="${id}-fault">${text[fault]}</p>` : ''
  }`
  const required = field_inputs[name].type === 'choice' ? html` aria-required="true"` : html` required`
  const state = html`${optional ? '' : required}${
    fault ? html` aria-invalid="true"` : ''
  }${described ? html` aria-describedby="${described}"` : ''}`
  return field_inputs[name].type === 'choice' ? choice(field, label, state, notes) : input(field, label, state, notes)
}

function input(field: FormField, label: Html, state: Html, notes: Html): Html {
  const { type, autocomplete, inputmode, maxlength, placeholder, secret, half, capitals } = field_inputs[field.name]
  const id = fieldId(field.type, field.name)
  const attributes = html`${type === 'text' ? '' : html` type="${type}"`}${autocomplete ? html` autocomplete="${autocomplete}"` : ''}${
    inputmode ? html` inputmode="${inputmode}"` : ''
  }${placeholder ? html` placeholder="${placeholder}"` : ''}${
    capitals ? html` autocapitalize="characters" spellcheck="false"` : ''
  }${secret || field.value === '' ? '' : html` value="${field.value}"`}`
  const element = html`<input id="${id}" name="${field.name}" maxlength="${maxlength}"${attributes}${state}>`
  return html`<div class="field${half ? ' half' : ''}"><label for="${id}">${label}</label>${
    field.name === 'number' ? withBrand(element) : element
  }${notes}</div>`
}

/** Adds the place where the script of the page shows the brand of the card. */
const withBrand = (element: Html): Html =>
  html`<div class="box">${element}<span class="brand" data-brand><svg aria-hidden="true" hidden><use></use></svg><span></span></span></div>`

function choice(field: FormField, label: Html, state: Html, notes: Html): Html {
  const id = fieldId(field.type, field.name)
  const offered = Object.entries(stores).filter(([store]) => field.stores.includes(store))
  const options = (field.name === 'store' ? offered : Object.entries(carriers)).map(
    ([value, names], place) =>
      html`<label class="option"><input type="radio" name="${field.name}" value="${value}"${
        place === 0 ? html` id="${id}"` : ''
      }${field.value === value ? html` checked` : ''}>${names[field.locale]}</label>`,
  )
  return html`<fieldset class="field" role="radiogroup" aria-labelledby="${id}-label"${state}><legend id="${id}-label">${label}</legend><div class="options">${options}</div>${notes}</fieldset>`
}
