/** The file that holds the API description, relative to the top folder. */
export const DOCUMENT_FILE = 'shared/openapi.json'

/** The text of a document as its file contains it. */
export const fileText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`
