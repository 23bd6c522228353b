import type { Entry } from './article.ts'
import { folded } from './search-terms.ts'
import type { Site } from './site.ts'

/** A part of a page that a search can find: the text below one heading, or one row of a list. */
export interface PagePart {
  readonly entry: Entry
  /** The anchor of the heading; undefined for the text below the title. */
  readonly anchor: string | undefined
  readonly heading: string
  /** Whether the part is a row of a list. */
  readonly is_row: boolean
  readonly text: string
  /**
   * The title of the page, the heading and the text, as `folded` returns them. In the text, ids and URLs are blank, and
   * the languages of the samples follow.
   */
  readonly searched: Readonly<Record<'title' | 'heading' | 'text', string>>
}

/** Returns the parts of all pages. */
export async function buildIndex(site: Site, pages: readonly Entry[]): Promise<readonly PagePart[]> {
  const parts = await Promise.all(pages.map(async (entry) => partsOf(entry, String(await entry.article.body(site)))))
  return parts.flat()
}

/** Returns the text below the title. The summary precedes it, unless the text begins with the summary. */
const beginningOf = ({ article: { summary } }: Entry, text: string): string =>
  text.startsWith(summary) ? text : `${summary} ${text}`

/** An element that begins a part of a page: a heading or a row of a table that has an anchor. */
const BEGINNING = /<(h2|h3|tr) id="([^"]+)">/g

/** A heading with the method and path of an endpoint, if they follow it. */
const HEADING = /^.*?<\/(?:h2|h3|th)>(?:<p class="route">.*?<\/p>)?/s

/** Splits the markup of an article into its parts. */
function partsOf(entry: Entry, markup: string): PagePart[] {
  const begins = [...markup.matchAll(BEGINNING)]
  const beginning = beginningOf(entry, textOf(markup.slice(0, begins[0]?.index)))
  const first = partOf(entry, { anchor: undefined, heading: '', is_row: false, text: beginning }, '')
  const rest = begins.map((begin, at) => {
    const part = markup.slice(begin.index, begins[at + 1]?.index)
    const end = HEADING.exec(part)![0].length
    const [heading, text] = [textOf(part.slice(0, end)), textOf(part.slice(end))]
    return partOf(entry, { anchor: begin[2]!, heading, is_row: begin[1] === 'tr', text }, languagesIn(part))
  })
  return [first, ...rest]
}

/** Returns the languages of the samples in some markup. */
const languagesIn = (markup: string): string =>
  [...new Set(Array.from(markup.matchAll(/<pre data-of="(\w+)"/g), ([, id]) => id))].join(' ')

function partOf(entry: Entry, part: Omit<PagePart, 'entry' | 'searched'>, languages: string): PagePart {
  const { heading, text } = part
  const searched = {
    title: folded(entry.article.title),
    heading: folded(heading),
    text: `${folded(withoutIds(text))} ${languages}`,
  }
  return { entry, ...part, searched }
}

/** URLs, ids of records, and other ids, in which a word is an accident. */
const IDS =
  /https?:\/\/[^\s"'<>)]+|\b[a-z]{2,}_(?:[a-z]+_)?(?=[a-z]*\d)[0-9a-z]{20,}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g

/** Replaces URLs and ids by spaces, so that every other character keeps its place. */
const withoutIds = (text: string): string => text.replaceAll(IDS, (id) => ' '.repeat(id.length))

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }

const textOf = (markup: string): string =>
  markup
    .replaceAll(/<fieldset>.*?<\/fieldset>/gs, ' ')
    .replaceAll(/<\/?(?:code|a|em|b|strong|small|span|i)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|amp|quot|#39);/g, (_, name) => entities[name]!)
    .replaceAll(/\s+/g, ' ')
    .trim()
