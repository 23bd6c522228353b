import { testsOfUpdating } from '#test/functions/live-application/record-suite.ts'

testsOfUpdating('site_information')
