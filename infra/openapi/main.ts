import { writeFileSync } from 'node:fs'
import { apiDescription, DOCUMENT_FILE, fileText } from './document.ts'

const document = await apiDescription()
writeFileSync(new URL(`../../${DOCUMENT_FILE}`, import.meta.url), fileText(document))
console.log(`${Object.keys(document.paths).length} paths are described. Review "git diff ${DOCUMENT_FILE}".`)
