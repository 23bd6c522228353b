import { openAwsApi } from '#test/fixtures/aws-api.ts'
import { journeysAnywhere } from '#test/journeys/anywhere.ts'

journeysAnywhere('on AWS', openAwsApi)
