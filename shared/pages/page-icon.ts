import { html, raw } from 'hono/html'
import type { Html, PageShop } from './html-page.ts'

/** A lock in a blue with enough contrast to light and to dark browser windows. */
const drawing =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path fill='#4f6bed' d='M4 7V5a4 4 0 1 1 8 0v2h2v8H2V7zm2 0h4V5a2 2 0 1 0-4 0z'/></svg>"

const inline_icon = `data:image/svg+xml,${drawing.replace(/[<>#]/g, encodeURIComponent)}`

/**
 * Returns the link to the icon of a page: the logo of the shop, which the page shows as well, or a drawing inside the
 * page. Without the link, browsers would ask for `/favicon.ico`.
 */
export const pageIcon = ({ logo_path }: Pick<PageShop, 'logo_path'>): Html =>
  logo_path === null ? html`<link rel="icon" href="${raw(inline_icon)}">` : html`<link rel="icon" href="${logo_path}">`
