import { definitionPath } from './stage-definition.ts'
import { propertyNames, propertyOf, type StageProperties } from './stage-properties.ts'

const givenNames = ['stage', 'repository', 'stages', 'oidc_provider_arn'] as const

/** What a deployment can be given, as by `-c name=value`. */
export type GivenName = (typeof givenNames)[number]

/** What was given under a name; undefined for what was not. */
export type Given = (name: string) => unknown

/** What CDK and its command keep under names of their own, and those two without a mark. */
const ofCdk = (name: string): boolean =>
  /[@:]|^(aws-)?cdk-/.test(name) || ['cli-telemetry', 'acknowledged-issue-numbers'].includes(name)

/** The names by which `-c` may state a property of a stage. */
const statedNames = propertyNames.flatMap((name) => Object.keys(propertyOf(name).context))

/** Throws for a name that nothing asks for, because a misspelt name would count as left out. */
export function refuseUnknown(names: readonly string[]): void {
  const known: readonly string[] = [...givenNames, ...statedNames]
  const unknown = names.find((name) => !ofCdk(name) && !known.includes(name))
  if (unknown !== undefined)
    throw new Error(`Nothing is given by the name of "${unknown}": the names are ${known.join(', ')}.`)
}

/**
 * Throws for a `-c` value that differs from the definition of the stage. `-c` may state a property and never changes it, so
 * a value that is left out changes nothing either.
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

/** The parts of a value between commas. `cdk.json` may give a list as it is. */
function listOf(value: unknown): string[] {
  const texts = Array.isArray(value) ? value.map(String) : String(value).split(',')
  return texts.map((text) => text.trim()).filter((text) => text !== '')
}
