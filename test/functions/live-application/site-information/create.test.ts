import { testsOfCreating } from '#test/functions/live-application/record-suite.ts'

testsOfCreating('site_information')
