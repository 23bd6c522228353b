import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ErrorCode } from '#shared/domain/errors.ts'
import { statusOf } from '#shared/http/answers.ts'

/** What the doc comment of a handler says about its endpoint. */
export interface HandlerComment {
  /** The first sentence, without its full stop. */
  readonly summary: string
  /** All sentences, on one line. */
  readonly description: string
  /** The error codes that the endpoint adds to those of `shared/http/common-refusals.ts`. */
  readonly refuses: readonly ErrorCode[]
}

const functions = join(import.meta.dirname, '../../functions')

/** Reads the doc comment of a handler. `file` is the path of the handler below `functions/`, without `.ts`. */
export const handlerComment = (file: string): HandlerComment =>
  commentIn(readFileSync(join(functions, `${file}.ts`), 'utf8'))

/** The codes after `@refuses` in the doc comment of a handler. `file` is its path below `functions/`, without `.ts`. */
export const documentedRefusals = (file: string): readonly ErrorCode[] => handlerComment(file).refuses

/**
 * Parses the doc comment of the handler in `source`. The comment ends with `@refuses` and error codes, separated by
 * commas, in alphabetical order. `@refuses none` stands for no codes. Throws for anything else.
 */
export function commentIn(source: string): HandlerComment {
  const comment = /\/\*\*((?:(?!\*\/).)*)\*\/\s*export const handler\b/s.exec(source)?.[1] ?? ''
  const text = comment.replaceAll(/^\s*\*/gm, ' ')
  const [, sentences, list] = /^([^@]*?)(?:^|\n)\s*@refuses ([^@]*)$/.exec(text) ?? []
  if (list === undefined) throw new Error('the doc comment of the handler does not end with @refuses and error codes')
  const description = sentences!.trim().replaceAll(/\s+/g, ' ')
  const [summary = ''] = description.split(/\.(?: |$)/)
  return { summary, description, refuses: codesIn(list) }
}

function codesIn(list: string): readonly ErrorCode[] {
  const codes = list
    .trim()
    .split(/,\s+/)
    .filter((code) => code !== 'none')
  const unknown = codes.filter((code) => !Object.hasOwn(statusOf, code))
  if (unknown.length > 0) throw new Error(`@refuses lists what is not an error code: ${unknown.join(', ')}`)
  if (codes.some((code, index) => index > 0 && code <= codes[index - 1]!))
    throw new Error('@refuses does not list its codes once, in alphabetical order')
  return codes as ErrorCode[]
}
