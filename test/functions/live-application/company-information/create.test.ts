import { testsOfCreating } from '#test/functions/live-application/record-suite.ts'

testsOfCreating('company_information')
