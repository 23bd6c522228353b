import { writeFileSync } from 'node:fs'
import type { ApplicationRecord } from '#shared/domain/application.ts'
import { application_states, type Verdict } from '#shared/domain/application-states.ts'
import { type ApplicationDocument, documentOf, documentsOf } from '#shared/live-application/application-documents.ts'
import { type Applicant, applicantOf, examineApplication } from '#shared/live-application/examine-application.ts'
import { listApplications } from '#shared/live-application/list-applications.ts'
import { UsageError, type Verb } from './verb.ts'

/** `operate application list` lists the applications of live merchants, so that the operator finds what to examine. */
export const listApplicationsVerb: Verb = {
  does: 'lists the applications of live merchants, oldest submission first; it reads the whole table',
  args: [],
  options: {
    status: `only those with one of ${application_states.join(', ')}; a submitted one waits for your verdict`,
  },
  async run({ open, options: { status }, out, progress }) {
    const state = application_states.find((known) => known === status)
    if (status !== undefined && state === undefined)
      throw new UsageError(`--status must be one of ${application_states.join(', ')}.`)
    const listed = await listApplications(await open(), state, progress)
    for (const { merchant, state, submitted_at } of listed)
      out([merchant.id, state.padEnd(9), submitted_at ?? 'not submitted', merchant.name].join('  ').trimEnd())
    if (listed.length === 0) progress(`There is no ${state ?? 'submitted'} application.`)
    return 0
  },
}

/** `operate application show` shows the application of a merchant with all its records, for the examination. */
export const showApplication: Verb = {
  does: 'shows the application of a merchant for live payments, with its records, personal data and documents',
  args: ['<merchant>'],
  async run({ open, args: [id = ''], out }) {
    const platform = await open()
    const applicant = await applicantOf(platform, id)
    for (const [field, value] of Object.entries(summaryOf(applicant))) out(`${field.padEnd(17)} ${value}`)
    for (const record of applicant.application.records) for (const line of linesOf(record)) out(line)
    const documents = await documentsOf(platform, applicant)
    if (documents.length > 0) for (const line of ['', 'documents', ...documents.map(lineOfDocument)]) out(line)
    return 0
  },
}

/** `operate application document` saves a document of a merchant on this machine. */
export const saveDocument: Verb = {
  does: 'saves a document of a merchant into a new file that only you can read',
  args: ['<merchant>', '<file>'],
  options: { to: 'required: the new file' },
  async run({ open, readObject, args: [merchant = '', id = ''], options: { to }, out }) {
    if (to === undefined) throw new UsageError('The path of the new file is missing: --to <path>.')
    const { file, object } = await documentOf(await open(), { merchant, file: id })
    const bytes = await readObject(object)
    try {
      // An existing file keeps its mode, so it could be open to others.
      writeFileSync(to, bytes, { flag: 'wx', mode: 0o600 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      throw new Error(`${to} already exists. Name a new file with --to.`)
    }
    out(`${id} is saved as ${to}: ${file.mime_type}, ${bytes.length} bytes.`)
    return 0
  },
}

const submitted =
  'the submitted_at that "application show" prints; refuses an application that was submitted again since'

/** `operate application approve` approves a submitted application of a live merchant. */
export const approveApplication: Verb = {
  does: 'approves a submitted application of a live merchant',
  args: ['<merchant>'],
  options: { submitted },
  run: ({ open, args: [id = ''], options, out }) => decide({ open, id, options, out }, { step: 'approve' }),
}

/** The longest reason of a rejection, in characters. */
const REASON_LENGTH_MAX = 1000

/**
 * `operate application reject` rejects a submitted application of a live merchant. The merchant can read the reason.
 */
export const rejectApplication: Verb = {
  does: 'rejects a submitted application of a live merchant, with a reason that the merchant reads',
  args: ['<merchant>'],
  options: { reason: `required: why, in 1 to ${REASON_LENGTH_MAX} characters`, submitted },
  async run({ open, args: [id = ''], options, out }) {
    const reason = options.reason?.trim()
    if (!reason) throw new UsageError('A rejection needs a reason, which the merchant reads: --reason <text>.')
    if ([...reason].length > REASON_LENGTH_MAX || /\p{Cc}/u.test(reason))
      throw new UsageError(`A reason has at most ${REASON_LENGTH_MAX} characters, on one line.`)
    return decide({ open, id, options, out }, { step: 'reject', reason })
  },
}

type Decided = Pick<Parameters<Verb['run']>[0], 'open' | 'options' | 'out'> & { readonly id: string }

async function decide({ open, id, options, out }: Decided, verdict: Verdict): Promise<number> {
  await examineApplication(await open(), { merchant: id, verdict, submitted_at: options.submitted })
  out(verdict.step === 'approve' ? `${id} is approved.` : `${id} is rejected: ${verdict.reason}`)
  return 0
}

const summaryOf = ({ merchant, application }: Applicant): Readonly<Record<string, string>> => ({
  merchant: merchant.id,
  mode: merchant.mode,
  ...(merchant.name !== undefined && { name: merchant.name }),
  status: application.status,
  submitted_at: application.submitted_at ?? 'not submitted',
  ...(application.rejection_reason && { rejection_reason: application.rejection_reason }),
  requested_fields: application.requested_fields.join(', ') || 'none',
})

function linesOf({ name, status, updated_at, fields }: ApplicationRecord): string[] {
  const rows = Object.entries(fields)
  const width = Math.max(0, ...rows.map(([field]) => field.length))
  return [
    '',
    `${name}  ${status}  updated ${updated_at}`,
    ...rows.map(([field, value]) => `  ${field.padEnd(width)}  ${printable(value)}`),
  ]
}

const lineOfDocument = ({ field, id, file }: ApplicationDocument): string =>
  `  ${id}  ${file ? `${file.mime_type}  ${file.size} bytes  ${printable(file.filename)}` : 'no such file'}  ${field}`

/**
 * A value as JSON. Control characters are escaped, because a merchant could control the operator's terminal with them.
 */
const printable = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
