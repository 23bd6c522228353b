import { apiDescriptionAnswer, documents } from '#shared/http/docs.ts'

/** Shows the API description, an OpenAPI 3.1 document, to any site and any tool. */
export const handler = documents('GET /api/v1/openapi.json', apiDescriptionAnswer)
