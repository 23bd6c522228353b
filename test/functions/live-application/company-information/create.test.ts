import { testsOfCreating } from '#test/fixtures/onboarding-suite.ts'

testsOfCreating('company_information')
