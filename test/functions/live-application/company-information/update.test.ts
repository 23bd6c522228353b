import { testsOfUpdating } from '#test/support/onboarding-suite.ts'

testsOfUpdating('company_information')
