import { journeysAnywhere } from '#test/journeys/anywhere.ts'
import { openDeployed } from './service.ts'

journeysAnywhere('deployed to the emulator', openDeployed)
