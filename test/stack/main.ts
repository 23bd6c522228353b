import { once } from 'node:events'
import { join } from 'node:path'
import { deploy, STAGE } from './deployment.ts'
import { startEmulator } from './emulator.ts'

/* Keeps a stage in an emulator of AWS on this machine until it is interrupted, and prints how to use it. */

const names = join(import.meta.dirname, 'localhost-names.mjs')

console.log('The emulator of AWS starts; the first time it is installed.')
const emulator = await startEmulator()
try {
  console.log(`${emulator.url} answers for AWS. The stage ${STAGE} is deployed; that takes a minute or two.`)
  const { url, assembly } = await deploy(emulator)
  const exports = Object.entries({ ...emulator.env, NODE_OPTIONS: `--import=${names}` })
  console.log(
    `The API is at ${url}\nThe templates are in ${assembly}\n\nIn another terminal, lead the commands of this project to the emulator:\n`,
  )
  for (const [name, value] of exports) console.log(`export ${name}=${value}`)
  console.log('\nCtrl-C ends the emulator and forgets all that is in it.')
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
} finally {
  await emulator.stop()
}
