import { docsAnswer, document } from '#shared/http/docs.ts'

/** Shows a page of the documentation. `/` leads to the first page. */
export const handler = document('GET /docs', docsAnswer)
