import { docsAnswer, documents } from '#shared/http/docs.ts'

/** Shows a page of the documentation. `/` leads to the first page. */
export const handler = documents('GET /docs', docsAnswer)
