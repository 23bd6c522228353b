import { testsOfShowing } from '#test/fixtures/onboarding-suite.ts'

testsOfShowing('personal_information')
