import { journeysAnywhere } from '#test/journeys/anywhere.ts'
import { openAwsApi } from '#test/support/aws-api.ts'

journeysAnywhere('on AWS', openAwsApi)
