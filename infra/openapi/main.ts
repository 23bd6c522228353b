import { writeFileSync } from 'node:fs'
import { apiDescription } from './document.ts'
import { DOCUMENT_FILE, fileText } from './document-file.ts'

const document = await apiDescription()
writeFileSync(new URL(`../../${DOCUMENT_FILE}`, import.meta.url), fileText(document))
console.log(`${Object.keys(document.paths).length} paths are described. Review "git diff ${DOCUMENT_FILE}".`)
