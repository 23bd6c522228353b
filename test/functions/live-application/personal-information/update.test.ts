import { testsOfUpdating } from '#test/support/onboarding-suite.ts'

testsOfUpdating('personal_information')
