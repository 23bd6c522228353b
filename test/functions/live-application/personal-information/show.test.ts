import { testsOfShowing } from '#test/support/onboarding-suite.ts'

testsOfShowing('personal_information')
