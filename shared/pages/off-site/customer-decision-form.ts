import { html } from 'hono/html'
import type { Locale } from '#shared/domain/session.ts'
import type { Html } from '#shared/pages/html-page.ts'
import { texts } from '#shared/pages/texts/texts.ts'

/** A decision of a sandbox customer about a payment or about the verification of a card. */
export type CustomerDecision = 'approve' | 'decline' | 'authenticate' | 'fail' | 'close'

/** Returns a form with a button for each decision. The first decision is the primary button. */
export function customerDecisionForm(decisions: readonly CustomerDecision[], locale: Locale): Html {
  const text = texts[locale]
  const button = (decision: CustomerDecision, place: number) =>
    html`<button class="${place === 0 ? 'button' : 'button plain'}" name="decision" value="${decision}">${text[decision]}</button>`
  return html`<form class="actions" method="post" action="?locale=${locale}">${decisions.map(button)}</form>`
}
