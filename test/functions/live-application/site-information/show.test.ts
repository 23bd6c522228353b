import { testsOfShowing } from '#test/fixtures/onboarding-suite.ts'

testsOfShowing('site_information')
