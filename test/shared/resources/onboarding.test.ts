import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { newRecord } from '#shared/domain/application.ts'
import { onboardingView } from '#shared/resources/onboarding.ts'
import { onboarding_resources } from '#shared/resources/onboarding-answers.ts'
import { type OnboardingRecord, onboarding_records, type RecordName } from '#shared/resources/onboarding-records.ts'

const names = Object.keys(onboarding_records) as RecordName[]
const unset = (name: RecordName) => newRecord(name, name === 'company_information' ? 'com_1' : null, 0)

describe('onboardingView', () => {
  test.each(names)('describes the shown fields of %s in their order', (name) => {
    const { fields, echoes }: OnboardingRecord = onboarding_records[name]
    const shown = echoes ? Object.keys(fields) : Object.keys(onboardingView(name)(unset(name)))
    expect(Object.keys(onboarding_resources[name].entries)).toEqual(shown)
  })

  test.each(names)('shows %s as its schema describes while no field is set', (name) => {
    const view = onboardingView(name)
    expect(v.parse(view.schema, view(unset(name)))).toEqual(view(unset(name)))
  })
})
