import { testsOfUpdating } from '#test/fixtures/onboarding-suite.ts'

testsOfUpdating('personal_information')
