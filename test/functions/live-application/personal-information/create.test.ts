import { testsOfCreating } from '#test/support/onboarding-suite.ts'

testsOfCreating('personal_information')
