import { testsOfUpdating } from '#test/support/onboarding-suite.ts'

testsOfUpdating('site_information')
