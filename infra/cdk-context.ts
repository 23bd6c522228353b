import { SLOTS, type Slot } from './names.ts'
import type { Stage } from './stage.ts'
import { definitionPath } from './stage-definition.ts'
import { propertyNames, propertyOf, type StageProperties } from './stage-properties.ts'

const givenNames = ['stage', 'slot', 'repository', 'stages', 'oidc_provider_arn'] as const

/** The names of the context values (`-c name=value`) that a deployment accepts, besides those that state a property. */
export type GivenName = (typeof givenNames)[number]

/** Looks up a context value by its name. Returns undefined for a name that was not given. */
export type Given = (name: string) => unknown

/**
 * Whether CDK or its command uses a name: a name with `@` or `:`, with the prefix `cdk-` or `aws-cdk-`, or one of two
 * others.
 */
const ofCdk = (name: string): boolean =>
  /[@:]|^(aws-)?cdk-/.test(name) || ['cli-telemetry', 'acknowledged-issue-numbers'].includes(name)

/** The names of the context values that state a property of a stage. */
const statedNames = propertyNames.flatMap((name) => Object.keys(propertyOf(name).context))

/** The slot into which a release deploys (`-c slot=a`). Throws for another value, and for a stage without slots. */
export function releasedSlot({ name, hasSlots }: Pick<Stage, 'name' | 'hasSlots'>, given: Given): Slot | undefined {
  const value = given('slot')
  if (value === undefined) return undefined
  if (!hasSlots) throw new Error(`The stage ${name} has no slots. Deploy it without -c slot.`)
  const slot = SLOTS.find((one) => one === value)
  if (!slot) throw new Error(`There is no slot "${String(value)}". The slots are: ${SLOTS.join(', ')}.`)
  return slot
}

/** Throws for a context name that nothing reads. Without this check, a misspelt name would have no effect. */
export function refuseUnknown(names: readonly string[]): void {
  const known: readonly string[] = [...givenNames, ...statedNames]
  const unknown = names.find((name) => !ofCdk(name) && !known.includes(name))
  if (unknown !== undefined)
    throw new Error(`There is no context value "${unknown}". The names are: ${known.join(', ')}.`)
}

/**
 * Throws for a `-c` value that differs from the definition of the stage. A `-c` value can repeat a property and never
 * changes it, so leaving the value out changes nothing.
 */
export function refuseContradictions(stage: string, properties: StageProperties, given: Given): void {
  for (const property of propertyNames) {
    for (const [name, textOf] of Object.entries(propertyOf(property).context)) {
      const stated = textOf(properties[property])
      const value = given(name)
      if (value !== undefined && listOf(value).join(',') !== stated)
        throw new Error(
          `-c ${name}=${String(value)} contradicts ${definitionPath(stage)}, which says ${stated}. Only the definition changes "${property}".`,
        )
    }
  }
}

/** Splits a value at its commas, trims the parts and drops empty ones. `cdk.json` can give a list instead of text. */
function listOf(value: unknown): string[] {
  const texts = Array.isArray(value) ? value.map(String) : String(value).split(',')
  return texts.map((text) => text.trim()).filter((text) => text !== '')
}
