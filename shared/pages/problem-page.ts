import { html } from 'hono/html'
import type { Locale } from '#shared/domain/session.ts'
import type { Problem } from '#shared/pages/texts/text-types.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import type { HtmlPage } from './html-page.ts'
import { notice } from './notice.ts'

/** The input of the page of a problem. */
export interface ProblemPageInput {
  readonly locale: Locale
  readonly problem: Problem
  /** The id by which support finds the request. */
  readonly request_id?: string
  /** The URL of the page that shows the current state. Only a problem that can pass links to it. */
  readonly again_url?: string
}

/** The problems that can be over when the customer looks again. */
const passing_problems: ReadonlySet<Problem> = new Set(['conflict', 'unavailable', 'internal'])

/** Returns the page which explains, in the customer's language, why the requested page cannot be shown. */
export function problemPage({ locale, problem, request_id, again_url }: ProblemPageInput): HtmlPage {
  const text = texts[locale]
  const said = text.problems[problem]
  const reference = request_id ? html`<p class="hint">${text.request}: <code>${request_id}</code></p>` : null
  const again =
    again_url && passing_problems.has(problem)
      ? html`<p class="actions"><a class="button" href="${again_url}">${text.check_again}</a></p>`
      : null
  return { locale, title: said.title, main: notice(said, 'bad', reference, again) }
}
