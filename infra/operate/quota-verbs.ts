import { propertiesOf } from '#infra/stage-definition.ts'
import { stageOf, type Verb } from './verb.ts'

/** Prints the quotas that the AWS account of a stage needs. It calls nothing at AWS. */
export const quotasVerb: Verb = {
  does: 'prints the quotas that the AWS account of a stage needs, and which of them to request',
  args: [],
  async run(call) {
    const name = stageOf(call)
    // The settings of stages load CDK, which would delay every other command.
    const [{ quotaLines, quotasFor }, stages] = await Promise.all([
      import('#infra/quotas.ts'),
      import('#infra/stage.ts'),
    ])
    const stage = stages.stageOf(name, propertiesOf(stages.knownStage(name)))
    for (const line of quotaLines(quotasFor(stage))) call.out(line)
    return 0
  },
}
