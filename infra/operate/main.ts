import { createPrivately } from '../local/private-files.ts'
import { operate } from './operate.ts'

createPrivately()
process.exitCode = await operate(process.argv.slice(2), {
  out: (line) => console.log(line),
  err: (line) => console.error(line),
  env: process.env,
})
