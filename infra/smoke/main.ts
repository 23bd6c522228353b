import { smoke } from './smoke.ts'

process.exitCode = await smoke(process.argv.slice(2), {
  out: (line) => console.log(line),
  err: (line) => console.error(line),
  env: process.env,
})
