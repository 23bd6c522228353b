import { testsOfCreating } from '#test/support/onboarding-suite.ts'

testsOfCreating('site_information')
