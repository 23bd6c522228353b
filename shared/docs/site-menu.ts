import { html } from 'hono/html'
import type { Entry } from './article.ts'
import type { Html } from './guide.ts'
import { guide_groups, guideOf, guidePage } from './guides.ts'
import { resources } from './resources.ts'
import { unions } from './shared-objects.ts'
import { type DocsLanguage, pathTo, type Site } from './site.ts'
import { site_texts } from './site-texts.ts'

interface MenuItem {
  readonly title: string
  readonly page: string
  readonly language: DocsLanguage
}

/**
 * Shows the menu of all pages. On a phone, a disclosure without content opens the menu beside it: a style sheet cannot
 * hold a disclosure open on a desktop.
 */
export function siteMenu(site: Site, { page, language }: Entry): Html {
  const text = site_texts[language]
  const item = ({ title, page: to, language: of }: MenuItem) =>
    html`<li><a href="${pathTo(site, to, of)}"${to === page && of === language ? html` aria-current="page"` : ''}${of === language ? '' : html` lang="${of}"`}>${title}</a></li>`
  return html`<details class="menu"><summary>${text.menu}</summary></details><nav class="site" aria-label="${text.docs}">${menuGroups(language).map(({ title, items }) => html`<h2>${title}</h2><ul>${items.map(item)}</ul>`)}</nav>`
}

function menuGroups(language: DocsLanguage): { title: string; items: MenuItem[] }[] {
  const text = site_texts[language]
  const guides = Object.entries(guide_groups).map(([group, slugs]) => ({
    title: text.groups[group as keyof typeof text.groups],
    items: slugs.flatMap((slug) => guideItem(slug, language) ?? []),
  }))
  const inEnglish = (title: string, page: string): MenuItem => ({ title, page, language: 'en' })
  const pages = (is_record: boolean) =>
    resources()
      .filter((resource) => resource.is_record === is_record)
      .map(({ title, slug }) => inEnglish(title, `reference/${slug}`))
  const lists = [inEnglish(text.events, 'events'), inEnglish(text.changelog, 'changelog')]
  return [
    ...guides.filter(({ items }) => items.length > 0),
    {
      title: text.reference,
      items: [
        inEnglish(text.overview, 'reference'),
        ...pages(false),
        ...unions().map(({ title, slug }) => inEnglish(title, `reference/${slug}`)),
      ],
    },
    { title: text.application, items: pages(true) },
    { title: text.lists, items: lists },
  ]
}

/** Returns the menu item of a guide, in English if it is not translated, or undefined if it does not exist. */
function guideItem(slug: string, language: DocsLanguage): MenuItem | undefined {
  const found = guideOf(slug, language) ? language : 'en'
  const guide = guideOf(slug, found)
  return guide && { title: guide.title, page: guidePage(slug), language: found }
}
