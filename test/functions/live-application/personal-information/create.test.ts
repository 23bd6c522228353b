import { testsOfCreating } from '#test/fixtures/onboarding-suite.ts'

testsOfCreating('personal_information')
