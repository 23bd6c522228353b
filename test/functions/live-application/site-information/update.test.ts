import { testsOfUpdating } from '#test/fixtures/onboarding-suite.ts'

testsOfUpdating('site_information')
