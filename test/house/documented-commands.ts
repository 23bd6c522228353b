import { textOf } from './source-files.ts'

/** The documents of the repository. */
export const documents = [
  'README.md',
  'shared/README.md',
  'shared/pages/README.md',
  'infra/README.md',
  'test/README.md',
  '.github/CONTRIBUTING.md',
] as const

/** A shell command as a document shows it, on one line. */
export interface DocumentedCommand {
  readonly document: string
  /** The title of the section that the command is in. */
  readonly section: string
  readonly text: string
  /** Whether the document marks the command with *(AWS)*. */
  readonly needs_aws: boolean
  /** The paragraph before the block of the command; undefined for a command within a sentence. */
  readonly introduction?: string
}

/** The mark after a command that needs an AWS account, or in the sentence before a block of such commands. */
const MARK = '*(AWS)*'

/** Code between backticks is a command if it begins with one of these programs and has at least one more word. */
const program = /^(npm|npx|node|bash|sh|curl|git|gh|aws|cdk|operate)\s+\S/

/** The commands that a document shows, in their order, with `operate` written out as `npm run operate --`. */
export function commandsIn(document: string, text = textOf(document)): DocumentedCommand[] {
  // Three parts for each block: the prose before it, its language and its code. The last part is prose.
  const parts = text.split(/^```(\w*)\n([\s\S]*?)^```$/m)
  const found: DocumentedCommand[] = []
  let section = ''
  for (let at = 0; at < parts.length; at += 3) {
    const [prose = '', language, code = ''] = parts.slice(at, at + 3)
    for (const chapter of prose.split(/^(?=##+ )/m)) {
      section = /^##+ (.*)/.exec(chapter)?.[1] ?? section
      found.push(...inSentences(chapter).map((command) => ({ document, section, ...command })))
    }
    if (language === 'sh') found.push(...inBlock(code, prose).map((command) => ({ document, section, ...command })))
  }
  return found.filter((command) => !isMention(command, found))
}

type Found = Omit<DocumentedCommand, 'document' | 'section'>

function inBlock(code: string, prose: string): Found[] {
  const introduction = prose
    .trim()
    .split(/\n\s*\n/)
    .at(-1)!
  const lines = code
    .replaceAll(/\\\n\s*/g, '')
    .trim()
    .split('\n')
  return lines
    .filter((line) => !isAssignment(line))
    .map((text) => ({ text, needs_aws: introduction.includes(MARK), introduction }))
}

const isAssignment = (line: string): boolean => /^(export )?[A-Z_]+=\S*$/.test(line)

function inSentences(prose: string): Found[] {
  return Array.from(prose.matchAll(/`([^`]+)`(\s*\*\(AWS\)\*)?/g))
    .filter(([, code]) => program.test(code!))
    .map(([, code, mark]) => ({
      text: code!.replaceAll(/\s+/g, ' ').replace(/^operate /, 'npm run operate -- '),
      needs_aws: mark !== undefined,
    }))
}

/** Whether a sentence only names a command, such as `cdk deploy`, that the document shows in full. */
const isMention = (command: DocumentedCommand, all: readonly DocumentedCommand[]): boolean =>
  command.introduction === undefined &&
  all.some(({ text }) => text !== command.text && `${text.replace(/^npx /, '')} `.startsWith(`${command.text} `))

/** The place that runs a command which the tests of the documents do not run. */
export interface Elsewhere {
  /** A file that runs the command, and the text that does so in it. */
  readonly file: string
  readonly runs: string
}

const ci = (runs: string): Elsewhere => ({ file: '.ci/run', runs })
const everySuite = ci("filter((name) => name.startsWith('test:'))")

/**
 * The commands that CI runs by itself, by their text. Such a command takes minutes, replaces the packages under the
 * running tests, or would start the tests again.
 */
export const runElsewhere: Readonly<Record<string, Elsewhere>> = {
  'npm ci': ci("step 'install' npm ci"),
  'npm test': ci("suite 'npm test' npm test"),
  'npm run lint': ci("step 'lint' npm run --silent lint"),
  'npm run types': ci("step 'types' npm run --silent types"),
  'npm run lint:templates -- <folders>': ci('npm run --silent lint:templates -- "$scratch"/cdk-*'),
  'npx cdk synth --quiet -c stage=dev': ci('npx --no-install cdk synth --quiet -c "stage=$stage"'),
  'npm run test:long': everySuite,
  'npm run test:kill': everySuite,
  'npm run test:moto': everySuite,
  'npm run test:openapi': everySuite,
  'npm run test:psp': everySuite,
  'npm run test:stack': everySuite,
  'npm run lint:openapi': { file: 'test/openapi/document.test.ts', runs: "'test/openapi/lint.ts'" },
  'npm run openapi:changes': ci("step 'breaking changes of the API' npm run --silent openapi:changes"),
  'bash .ci/run': { file: '.github/workflows/check.yml', runs: '- run: bash .ci/run' },
  'npm run stripe': { file: 'test/long/live-commands.test.ts', runs: "'npm run stripe'" },
  'npm run stack': { file: 'test/stack/global-setup.ts', runs: "'test/stack/main.ts'" },
}

/** The section whose commands need the stage of `npm run stack`. The suite of that stage runs them. */
export const STACK_SECTION = 'Try a stage on one machine'

/** The section whose commands need the emulator of Stripe. A test of their own runs them, in their order. */
export const LIVE_SECTION = 'Take live payments on one machine'

/** The sections whose commands have tests of their own. */
const other_sections: ReadonlySet<string> = new Set([STACK_SECTION, LIVE_SECTION])

/** The commands that the tests of the documents run themselves, each once. */
export function commandsToRun(): DocumentedCommand[] {
  const all = documents.flatMap((document) => commandsIn(document))
  const own = all.filter(
    ({ text, needs_aws, section }) => !needs_aws && !other_sections.has(section) && !Object.hasOwn(runElsewhere, text),
  )
  return own.filter(({ text }, at) => own.findIndex((other) => other.text === text) === at)
}

/** The status that a document names in the paragraph before a `curl` command. */
export const documentedStatus = ({ introduction = '' }: DocumentedCommand): string | undefined =>
  /\b[1-5]\d\d\b/.exec(introduction)?.[0]

/** A `curl` command that prints the status of the response on a line of its own after the body. */
export const printingStatus = (curl: string): string => `${curl} --silent --show-error --write-out '\\n%{http_code}'`
