import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openFolder, openStage } from './place.ts'
import { sentenceOfError } from './sentence-of-error.ts'
import { type Call, type Place, UsageError, type Verb } from './verb.ts'
import { verbs } from './verbs.ts'

/** The output of the command and its environment variables. */
export interface Terminal {
  out(line: string): void
  err(line: string): void
  readonly env: Readonly<Record<string, string | undefined>>
  /** Opens a data folder. The default is `openFolder` of `place.ts`. */
  readonly openFolder?: (data_dir: string) => Place
}

const COMMAND = 'npm run operate --'

/** Runs the command line. Returns the exit code: 0, 1 when something is wrong, 2 for an invalid command line. */
export async function operate(words: readonly string[], terminal: Terminal): Promise<number> {
  const { name, rest } = commandIn(words)
  try {
    if (name === '--help') return printed(terminal, overview())
    const verb = Object.hasOwn(verbs, name) ? verbs[name]! : undefined
    if (!verb) throw new UsageError(`There is no command "${name}".`)
    if (rest.includes('--help')) return printed(terminal, helpOf(name, verb))
    return await run(verb, rest, terminal)
  } catch (error) {
    terminal.err(sentenceOfError(error))
    if (!(error instanceof UsageError)) return 1
    terminal.err(`See: ${COMMAND} ${Object.hasOwn(verbs, name) ? `${name} ` : ''}--help`)
    return 2
  }
}

/** Splits the words into the name of the command, of one word or of two such as `application show`, and the rest. */
function commandIn([first = '--help', ...rest]: readonly string[]): { name: string; rest: readonly string[] } {
  const [second = '', ...others] = rest
  const has_two_words = !second.startsWith('-') && Object.keys(verbs).some((name) => name.startsWith(`${first} `))
  return has_two_words ? { name: `${first} ${second}`.trim(), rest: others } : { name: first, rest }
}

async function run(verb: Verb, words: readonly string[], terminal: Terminal): Promise<number> {
  const { stage, data_dir, args, options } = parsed(verb, words, terminal)
  let place: Place | undefined
  const call: Call = {
    ...{ stage, data_dir, args, options },
    async open() {
      const { openFolder: opensFolder = openFolder } = terminal
      place ??= stage === undefined ? opensFolder(data_dir) : await openStage(stage)
      return place.platform
    },
    async readObject(name) {
      await call.open()
      return place!.readObject(name)
    },
    out: (line) => terminal.out(line),
    progress: (line) => terminal.err(line),
  }
  try {
    return (await verb.run(call)) ?? 0
  } finally {
    place?.close()
  }
}

function parsed(verb: Verb, words: readonly string[], { env }: Terminal) {
  const own = Object.keys(verb.options ?? {}).map((name) => [name, { type: 'string' as const }])
  const { values, positionals } = readWords([...words], Object.fromEntries(own))
  const { stage, local, 'data-dir': folder, ...options } = values as Record<string, string | undefined>
  if ((stage === undefined) === !local) throw new UsageError('Choose a place: --stage <stage>, or --local.')
  if (stage !== undefined && !/^[a-z][a-z0-9-]{0,19}$/.test(stage))
    throw new UsageError(`"${stage}" is not a valid name of a stage.`)
  if (positionals.length !== verb.args.length)
    throw new UsageError(`The arguments of this command: ${verb.args.length === 0 ? 'none' : verb.args.join(' ')}.`)
  const data_dir = resolve(folder ?? env.DATA_DIR ?? '.data')
  return { stage, data_dir, args: positionals, options }
}

function readWords(args: string[], own: Record<string, { type: 'string' }>) {
  const common = { stage: { type: 'string' }, local: { type: 'boolean' }, 'data-dir': { type: 'string' } } as const
  try {
    return parseArgs({ args, allowPositionals: true, options: { ...own, ...common } })
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}.`)
  }
}

function printed({ out }: Terminal, lines: readonly string[]): number {
  for (const line of lines) out(line)
  return 0
}

const usageOf = (name: string, { args }: Verb): string => [name, ...args].join(' ')

function overview(): string[] {
  const rows = Object.entries(verbs).map(([name, verb]) => [usageOf(name, verb), verb.does] as const)
  const width = Math.max(...rows.map(([usage]) => usage.length))
  return [
    `${COMMAND} <command> … (--stage <stage> | --local [--data-dir .data])`,
    '',
    ...rows.map(([usage, does]) => `  ${usage.padEnd(width)}  ${does}`),
  ]
}

function helpOf(name: string, verb: Verb): string[] {
  const options = {
    ...verb.options,
    'stage <stage>': 'a stage on AWS, with the credentials and the region of the shell',
    local: 'this machine',
    'data-dir <folder>': 'the data folder on this machine; the default is DATA_DIR or .data',
  }
  const lines = Object.entries(options).map(([option, means]) => `  --${option.padEnd(20)} ${means}`)
  return [`${COMMAND} ${usageOf(name, verb)} …`, `  ${verb.does}`, '', ...lines]
}
