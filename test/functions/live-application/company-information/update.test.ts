import { testsOfUpdating } from '#test/fixtures/onboarding-suite.ts'

testsOfUpdating('company_information')
