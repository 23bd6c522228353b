import { once } from 'node:events'
import { join } from 'node:path'
import { deploy, STAGE } from './deployment.ts'
import { startEmulator } from './emulator.ts'

/* Runs a stage in an emulator of AWS on this machine until it is interrupted, and prints how to use it. */

const names = join(import.meta.dirname, 'localhost-names.mjs')

console.log('Starting the emulator of AWS. The first start installs it.')
const emulator = await startEmulator()
try {
  console.log(`${emulator.url} is the endpoint of AWS. Deploying the stage ${STAGE}, which takes a minute or two.`)
  const { url, assembly } = await deploy(emulator)
  const exports = Object.entries({ ...emulator.env, NODE_OPTIONS: `--import=${names}` })
  console.log(
    `The API is at ${url}\nThe templates are in ${assembly}\n\nTo run the commands of this project against the emulator, set this in another terminal:\n`,
  )
  for (const [name, value] of exports) console.log(`export ${name}=${value}`)
  console.log('\nCtrl-C stops the emulator and deletes its data.')
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
} finally {
  await emulator.stop()
}
