import { html } from 'hono/html'
import type { Locale } from '#shared/domain/session.ts'
import { notice } from './notice.ts'
import type { Page } from './page.ts'
import { type Problem, texts } from './texts.ts'

/** What the page of a problem is made from. */
export interface ProblemPageInput {
  readonly locale: Locale
  readonly problem: Problem
  /** What support finds the request by. */
  readonly request_id?: string
}

/** Tells a customer, in their own words, that the page they asked for cannot be shown. */
export function problemPage({ locale, problem, request_id }: ProblemPageInput): Page {
  const text = texts[locale]
  const said = text.problems[problem]
  const reference = request_id ? html`<p class="hint">${text.request}: <code>${request_id}</code></p>` : null
  return { locale, title: said.title, main: notice(said, 'bad', reference) }
}
