import type { ApplicationRecord } from '#shared/domain/application.ts'
import type { Verdict } from '#shared/domain/application-states.ts'
import { type Applicant, applicantOf, examineApplication } from '#shared/live-application/examine-application.ts'
import { UsageError, type Verb } from './verb.ts'

/** `operate application show` shows the application of a merchant with all its records, for the examination. */
export const showApplication: Verb = {
  does: 'shows the application of a merchant for live payments, with its records and personal data',
  args: ['<merchant>'],
  async run({ open, args: [id = ''], out }) {
    const applicant = await applicantOf(await open(), id)
    for (const [field, value] of Object.entries(summaryOf(applicant))) out(`${field.padEnd(17)} ${value}`)
    for (const record of applicant.application.records) for (const line of linesOf(record)) out(line)
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

/**
 * A value as JSON. Control characters are escaped, because a merchant could control the operator's terminal with them.
 */
const printable = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
