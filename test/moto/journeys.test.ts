import { journeysAnywhere } from '#test/journeys/anywhere.ts'
import { openAwsApi } from '#test/moto/aws-api.ts'

journeysAnywhere('on AWS', openAwsApi)
