import { isPropertyName, recordProperties, removeProperty } from '#infra/stage-definition.ts'
import { propertyNames } from '#infra/stage-properties.ts'
import { removalSteps } from './removal-steps.ts'
import { stageOf, UsageError, type Verb } from './verb.ts'

/** The commands that change the properties of stages in this checkout. `folder` is where the definitions are. */
export const propertyVerbs = (folder?: string): Readonly<Record<string, Verb>> => ({
  'record-properties': {
    does: 'records the new properties of the definition of a stage, in infra/stages of this checkout',
    args: [],
    async run(call) {
      const stage = stageOf(call)
      recordProperties(stage, folder)
      call.out(`Commit infra/stages/${stage}.json and infra/stages/${stage}.lock.json.`)
      return 0
    },
  },
  'remove-property': {
    does: `removes a property of a stage, in infra/stages of this checkout: ${propertyNames.join(', ')}`,
    args: ['<property>'],
    async run(call) {
      const stage = stageOf(call)
      const name = call.args[0]!
      if (!isPropertyName(name))
        throw new UsageError(`There is no property "${name}". The properties are: ${propertyNames.join(', ')}.`)
      const value = removeProperty(stage, name, folder)
      for (const step of removalSteps(stage, name, value)) call.out(step)
      return 0
    },
  },
})
