import { describe, expect, test } from 'vitest'
import {
  type Application,
  type ApplicationRecord,
  application_statuses,
  newRecord,
} from '#shared/domain/application.ts'
import {
  application_states,
  application_steps,
  examine,
  reopenApplication,
  stateOf,
  submit,
} from '#shared/domain/application-states.ts'

const NOW = Date.parse('2030-01-02T03:00:00.500Z')
const AT = '2030-01-02T03:00:00Z'
const BEFORE = '2029-01-01T00:00:00Z'

type State = (typeof application_states)[number]
type Step = (typeof application_steps)[number]

const record = (fields: Partial<ApplicationRecord> = {}): ApplicationRecord => ({
  ...newRecord('site_information', null, Date.parse(BEFORE)),
  ...{ version: 2, fields: { site_name: 'Shop' }, ...fields },
})

/** An application in each state, as stored. */
const stored: Readonly<Record<State, Application>> = {
  draft: { version: 3, status: 'pending', submitted_at: null, rejection_reason: null },
  submitted: { version: 3, status: 'pending', submitted_at: BEFORE, rejection_reason: null },
  approved: { version: 3, status: 'approved', submitted_at: BEFORE, rejection_reason: null },
  rejected: { version: 3, status: 'rejected', submitted_at: BEFORE, rejection_reason: 'The shop is closed.' },
  corrected: { version: 3, status: 'rejected', submitted_at: null, rejection_reason: 'The shop is closed.' },
}

const steps: Readonly<Record<Step, (application: Application) => Application>> = {
  change: (application) => reopenApplication(application) ?? application,
  submit: (application) => submit(application, { records: [], missing: [] }, undefined, NOW).next,
  approve: (application) => examine(application, [], { step: 'approve' }, NOW).next,
  reject: (application) => examine(application, [], { step: 'reject', reason: 'No imprint.' }, NOW).next,
}

const submitted_now = { ...stored.submitted, submitted_at: AT }
const rejected_now = { ...stored.rejected, rejection_reason: 'No imprint.' }

/** The application after each step; undefined if the step is refused. */
// biome-ignore format: a table
const expected: Readonly<Record<State, Readonly<Record<Step, Application | undefined>>>> = {
  draft:     { change: stored.draft,     submit: submitted_now,   approve: undefined,       reject: undefined },
  submitted: { change: stored.draft,     submit: submitted_now,   approve: stored.approved, reject: rejected_now },
  approved:  { change: stored.draft,     submit: stored.approved, approve: stored.approved, reject: rejected_now },
  rejected:  { change: stored.corrected, submit: submitted_now,   approve: stored.approved, reject: rejected_now },
  corrected: { change: stored.corrected, submit: submitted_now,   approve: undefined,       reject: undefined },
}

const cells = application_states.flatMap((state) => application_steps.map((step) => ({ state, step })))

describe('the states of an application', () => {
  test.each(application_states)('%s is recognized in what is stored', (state) => {
    expect(stateOf(stored[state])).toBe(state)
  })

  test.each(cells)('$step of an application that is $state', ({ state, step }) => {
    const after = expected[state][step]
    if (after) expect(steps[step](stored[state])).toEqual(after)
    else
      expect(() => steps[step](stored[state])).toThrow(
        expect.objectContaining({
          code: 'unprocessable_entity',
          message: `The application is not submitted, so you cannot ${step} it. The merchant submits it first.`,
        }),
      )
  })

  test('a change before the first submission writes no application', () => {
    expect(reopenApplication(undefined)).toBeUndefined()
    expect(reopenApplication(stored.draft)).toBeUndefined()
    expect(reopenApplication(stored.corrected)).toBeUndefined()
  })

  test('a rejected application of an older version has no reason, and can be examined and submitted', () => {
    const { rejection_reason, ...older } = stored.rejected
    expect(steps.reject(older)).toEqual(rejected_now)
    expect(steps.approve(older)).toEqual(stored.approved)
    expect(steps.submit(older)).toEqual(submitted_now)
  })
})

describe('submit', () => {
  const records = [record(), record({ name: 'company_information', id: 'com_1', status: 'rejected' })]

  test.each(application_statuses)('sets the application and all its records to the simulated status %s', (status) => {
    const rejection_reason = status === 'rejected' ? 'The rejection is simulated.' : null
    for (const state of application_states)
      expect(submit(stored[state], { records, missing: [] }, status, NOW)).toEqual({
        next: { version: 3, status, submitted_at: AT, rejection_reason },
        records: records.map((each) => ({ ...each, status, updated_at: AT })),
      })
  })

  test('sets all records to pending', () => {
    const { records: after } = submit(stored.corrected, { records, missing: [] }, undefined, NOW)
    expect(after).toEqual(records.map((each) => ({ ...each, status: 'pending', updated_at: AT })))
  })

  test('refuses an incomplete application, and names every missing field', () => {
    const missing = ['site_information[site_url]', 'company_information[company_name]']
    const errors = missing.map((param) => ({ code: 'missing_parameter', param, message: expect.any(String) }))
    const submitting = () => submit(stored.draft, { records: [], missing }, 'pending', NOW)
    expect(submitting).toThrow(expect.objectContaining({ ...errors[0], details: { errors } }))
    expect(submitting).toThrow('Send it with POST /live_application/site_information, then submit again.')
  })
})

describe('examine', () => {
  const records = [record(), record({ name: 'company_information', id: 'com_1' })]

  test.each([
    [{ step: 'approve' }, 'approved', null],
    [{ step: 'reject', reason: 'No imprint.' }, 'rejected', 'No imprint.'],
  ] as const)(
    '%o sets the status of all records, and changes nothing when it is repeated',
    (verdict, status, reason) => {
      const first = examine(stored.submitted, records, verdict, NOW)
      expect(first).toEqual({
        next: { ...stored.submitted, status, rejection_reason: reason },
        records: records.map((each) => ({ ...each, status, updated_at: AT })),
      })
      const second = examine(first.next, first.records, verdict, NOW + 1000)
      expect(second.next).toBe(first.next)
      expect(second.records).toBe(first.records)
    },
  )

  test('replaces the reason of a rejection', () => {
    const verdict = { step: 'reject', reason: 'The bank account is closed.' } as const
    expect(examine(stored.rejected, records, verdict, NOW).next.rejection_reason).toBe('The bank account is closed.')
  })
})
