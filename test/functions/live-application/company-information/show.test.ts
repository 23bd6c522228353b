import { testsOfShowing } from '#test/support/onboarding-suite.ts'

testsOfShowing('company_information')
