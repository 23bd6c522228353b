import { testsOfUpdating } from '#test/functions/live-application/record-suite.ts'

testsOfUpdating('company_information')
