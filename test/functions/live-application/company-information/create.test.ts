import { testsOfCreating } from '#test/support/onboarding-suite.ts'

testsOfCreating('company_information')
