import { html, raw } from 'hono/html'
import type { Guide, GuideParts, GuideSection, Html } from '#shared/docs/guide.ts'
import type { Sample } from '#shared/docs/sample.ts'

/** What a section of a guide shows. The parts other than `text` are the same in every language. */
export interface RecordedSection {
  readonly id: string
  readonly samples: readonly Sample[]
  /** The contents of the `<pre>` elements: excerpts of responses, and variables to set. */
  readonly excerpts: readonly string[]
  /** The number of columns and the number of cells in each row, for each table. */
  readonly tables: readonly string[]
  readonly notes: number
  /** The links to guides, the reference, error codes and event types. They are sorted: word order depends on the language. */
  readonly links: readonly string[]
  /** The contents of the `<code>` elements outside `<pre>`, sorted and each once. */
  readonly codes: readonly string[]
  /** The number of items of each list. */
  readonly lists: readonly number[]
  /** The texts of the `<em>` elements: the labels of buttons. */
  readonly buttons: readonly string[]
  /** The markup outside `<pre>`. */
  readonly text: string
}

/** Renders the sections of a guide and records the parts that each section shows. */
export const recordedGuide = (guide: Guide): Promise<RecordedSection[]> =>
  Promise.all(guide.sections.map(recordedSection))

async function recordedSection({ id, body }: GuideSection): Promise<RecordedSection> {
  const { parts, recorded } = recordingParts()
  const markup = String(await body(parts))
  const text = markup.replaceAll(/<pre[^>]*>.*?<\/pre>/gs, '')
  return {
    id,
    samples: recorded.samples,
    excerpts: contentsOf('pre', markup),
    tables: recorded.tables,
    notes: recorded.notes.length,
    links: recorded.links.toSorted(),
    codes: [...new Set(contentsOf('code', text))].toSorted(),
    lists: [...contentsOf('ul', text), ...contentsOf('ol', text)].map((list) => contentsOf('li', list).length),
    buttons: contentsOf('em', text),
    text,
  }
}

const contentsOf = (element: string, markup: string): string[] =>
  Array.from(markup.matchAll(new RegExp(`<${element}[^>]*>(.*?)</${element}>`, 'gs')), ([, content]) => content!)

function recordingParts() {
  const recorded = { samples: [] as Sample[], tables: [] as string[], notes: [] as Html[], links: [] as string[] }
  const link = (target: string): Html => {
    recorded.links.push(target)
    return html`<a>${target}</a>`
  }
  const parts: GuideParts = {
    base_url: 'https://api.example.com/api/v1',
    sample(sample) {
      recorded.samples.push(sample)
      return raw('')
    },
    guide: (slug, section) => link(section === undefined ? `guide ${slug}` : `guide ${slug}#${section}`),
    reference: (resource) => link(`reference ${resource}`),
    error: (code) => link(`error ${code}`),
    event: (type) => link(`event ${type}`),
    table(head, rows) {
      recorded.tables.push(`${head.length} columns; cells per row: ${rows.map(({ length }) => length).join(', ')}`)
      return html`${[head, ...rows].flat().map((cell) => html`<p>${cell}</p>`)}`
    },
    note(text) {
      recorded.notes.push(text)
      return html`<p>${text}</p>`
    },
  }
  return { parts, recorded }
}
