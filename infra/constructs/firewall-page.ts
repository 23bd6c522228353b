/** The language, heading and sentence of each notice, worded like the hosted pages. */
const notices = [
  ['ja', 'ただいまご利用いただけません', 'しばらくしてからもう一度お試しください。'],
  ['en', 'Not available at the moment', 'Please try again in a little while.'],
  ['ko', '현재 이용할 수 없습니다', '잠시 후 다시 시도해 주세요.'],
] as const

/** Replaces characters outside ASCII by character references, so that the text needs no charset in `Content-Type`. */
const ascii = (text: string): string => text.replace(/\P{ASCII}/gu, (letter) => `&#${letter.codePointAt(0)};`)

const sections = notices.map(
  ([lang, title, text]) => `<section lang="${lang}"><h1>${ascii(title)}</h1><p>${ascii(text)}</p></section>`,
)

const head =
  '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' +
  '<meta name="robots" content="noindex"><title>429</title>'

const KEY = 'page-blocked'

/**
 * `PAGE_BLOCKED` is the response to a customer whose address exceeds its limit: 429 with a page in every language of
 * the pages, because the firewall does not know the customer's language. `bodies` belongs to the firewall, `response`
 * to its rule.
 */
export const PAGE_BLOCKED = {
  bodies: { [KEY]: { contentType: 'TEXT_HTML', content: `<!doctype html><html>${head}${sections.join('')}</html>` } },
  response: {
    responseCode: 429,
    customResponseBodyKey: KEY,
    responseHeaders: [
      { name: 'Retry-After', value: '30' },
      { name: 'Cache-Control', value: 'no-store' },
    ],
  },
}
