import { testsOfShowing } from '#test/fixtures/onboarding-suite.ts'

testsOfShowing('company_information')
