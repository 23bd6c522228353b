import { openApi } from '#test/fixtures/api.ts'
import { journeysAnywhere } from './anywhere.ts'

journeysAnywhere('on one machine', openApi)
