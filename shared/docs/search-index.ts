import type { Entry } from './article.ts'
import type { Site } from './site.ts'

/** A part of a page that a search can find: the text below one heading, or one row of a list. */
export interface PagePart {
  readonly entry: Entry
  /** The anchor of the heading; undefined for the text below the title. */
  readonly anchor: string | undefined
  readonly heading: string
  readonly text: string
}

/** Renders the articles of pages and returns all of their parts. */
export async function buildIndex(site: Site, pages: readonly Entry[]): Promise<PagePart[]> {
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
  const first: PagePart = {
    entry,
    anchor: undefined,
    heading: '',
    text: beginningOf(entry, textOf(markup.slice(0, begins[0]?.index))),
  }
  const rest = begins.map((begin, at) => {
    const part = markup.slice(begin.index, begins[at + 1]?.index)
    const end = HEADING.exec(part)![0].length
    return { entry, anchor: begin[2]!, heading: textOf(part.slice(0, end)), text: textOf(part.slice(end)) }
  })
  return [first, ...rest]
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }

const textOf = (markup: string): string =>
  markup
    .replaceAll(/<fieldset>.*?<\/fieldset>/gs, ' ')
    .replaceAll(/<\/?(?:code|a|em|b|strong|small|span|i)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|amp|quot|#39);/g, (_, name) => entities[name]!)
    .replaceAll(/\s+/g, ' ')
    .trim()
