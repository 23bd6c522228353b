import { parseArgs } from 'node:util'
import { knownStage, stageOf } from '#infra/stage.ts'
import { propertiesOf } from '#infra/stage-definition.ts'
import { release, rollBack } from './release.ts'
import { surroundingsOf } from './surroundings.ts'

/** How the command is used. */
const USAGE = `npm run release -- --stage <stage> [--roll-back] [--outputs-file <file>]

Releases this checkout to a stage with slots, or continues a release that was interrupted. With --roll-back, takes back
the release that is shifting, or else the last one.`

try {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      'roll-back': { type: 'boolean' },
      'outputs-file': { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) console.log(USAGE)
  else process.exitCode = await run(values.stage, values)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

async function run(
  name: string | undefined,
  { 'roll-back': takes_back, 'outputs-file': file }: { 'roll-back'?: boolean; 'outputs-file'?: string },
): Promise<number> {
  if (name === undefined) throw new Error(`The stage is missing.\n${USAGE}`)
  const stage = stageOf(name, propertiesOf(knownStage(name)))
  if (!stage.hasSlots) throw new Error(`${name} has no slots. Deploy it with: npx cdk deploy --all -c stage=${name}`)
  const surroundings = surroundingsOf(stage, file)
  const outcome = takes_back ? await rollBack(surroundings) : await release(surroundings)
  return outcome === (takes_back ? 'rolled back' : 'released') ? 0 : 1
}
