import type { html } from 'hono/html'
import type { Sample } from './sample.ts'

/** Markup whose embedded values are escaped. */
export type Html = ReturnType<typeof html>

/** The parts of a page that depend on the request or on the language of the page. */
export interface GuideParts {
  /** The base URL of the API as the reader knows it, such as `https://api.example.com/api/v1`. */
  readonly base_url: string
  /** Shows a sample in its languages, with the base URL of the reader. */
  sample(sample: Sample): Html
  /** Links to another page of the documentation: `guide('webhooks')`, `guide('webhooks', 'verify')`. */
  guide(slug: string, section?: string): Html
  /** Links to the reference of a resource: `reference('payments')`. */
  reference(resource: string): Html
  /** Shows an error code as a link to its entry in the list of errors. */
  error(code: string): Html
  /** Shows an event type as a link to its entry in the catalogue of events. */
  event(type: string): Html
  /** Shows a table. Cells are text or markup. */
  table(head: readonly (string | Html)[], rows: readonly (readonly (string | Html)[])[]): Html
  /** Shows a note that is set apart from the text. */
  note(text: Html): Html
}

/** A section of a guide. `id` is its anchor, which is the same in every language. */
export interface GuideSection {
  readonly id: string
  readonly title: string
  body(parts: GuideParts): Html
}

/** A guide: one page of the documentation that explains one job to a merchant's developer. */
export interface Guide {
  /** The last segment of the path, the same in every language. */
  readonly slug: string
  readonly title: string
  /** One sentence that says what the reader can do after reading. Navigation, search and social previews show it. */
  readonly summary: string
  readonly sections: readonly GuideSection[]
}
