import { writeFileSync } from 'node:fs'
import { ACCESS_FILE, accessFileText } from './access-file.ts'
import { recordAccess } from './record-access.ts'

const { access } = await recordAccess()
writeFileSync(new URL(`../../${ACCESS_FILE}`, import.meta.url), accessFileText(access))
console.log(`The access of ${Object.keys(access).length} functions is recorded. Review "git diff ${ACCESS_FILE}".`)
