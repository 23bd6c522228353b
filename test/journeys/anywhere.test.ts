import { openApi } from '#test/support/api.ts'
import { journeysAnywhere } from './anywhere.ts'

journeysAnywhere('on one machine', openApi)
