import { testsOfCreating } from '#test/fixtures/onboarding-suite.ts'

testsOfCreating('site_information')
