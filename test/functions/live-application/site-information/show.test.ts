import { testsOfShowing } from '#test/support/onboarding-suite.ts'

testsOfShowing('site_information')
