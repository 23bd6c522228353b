import { testsOfCreating } from '#test/functions/live-application/record-suite.ts'

testsOfCreating('personal_information')
