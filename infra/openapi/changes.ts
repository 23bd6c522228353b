import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { breakingChanges, type ComparedDocument } from './breaking-changes.ts'
import { DOCUMENT_FILE } from './document-file.ts'

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 26, stdio: 'pipe' })

/** The document as of a commit; undefined if the commit has none. */
function documentAt(commit: string): ComparedDocument | undefined {
  git('rev-parse', '--verify', '--quiet', `${commit}^{commit}`)
  if (git('ls-tree', '--name-only', commit, DOCUMENT_FILE) === '') return undefined
  return JSON.parse(git('show', `${commit}:${DOCUMENT_FILE}`))
}

/** The commit before the last one that changed the document; undefined if the history has only one. */
const previousCommit = (): string | undefined => git('log', '-2', '--format=%H', '--', DOCUMENT_FILE).split('\n')[1]

try {
  const [from = previousCommit(), to] = process.argv.slice(2)
  const before = from ? documentAt(from) : undefined
  const after = to ? documentAt(to) : (JSON.parse(readFileSync(DOCUMENT_FILE, 'utf8')) as ComparedDocument)
  if (!before || !after) console.log(`There is no earlier ${DOCUMENT_FILE} to compare with.`)
  else {
    const changes = breakingChanges(before, after)
    console.log(`Breaking changes of the API since ${from!.slice(0, 12)}: ${changes.length || 'none'}`)
    for (const change of changes) console.log(`  ${change}`)
  }
} catch (error) {
  console.error(`The versions could not be compared: ${(error as Error).message.split('\n')[0]}`)
  process.exitCode = 1
}
