import type { Accepted } from './accepted.ts'

/** What cfn-lint or the validation of CDK found in a template. */
export interface Finding {
  readonly template: string
  readonly level: string
  readonly rule: string
  /** The type of the resource, and the path to the finding within it; the whole path where it is in no resource. */
  readonly place: string
  readonly message: string
}

/** Whether one template, or one line of the list of accepted warnings, is as it should be: it is without complaints. */
export interface Verdict {
  readonly about: string
  readonly complaints: readonly string[]
}

/** The verdicts on all templates, then those on all lines of the list. */
export function verdictsOn(
  templates: readonly string[],
  findings: readonly Finding[],
  list: readonly Accepted[],
): Verdict[] {
  const complaintsIn = (template: string) =>
    findings
      .filter((finding) => finding.template === template && !list.some((line) => accepts(line, finding)))
      .map(({ level, rule, place, message }) => `${level} ${rule} at ${place}: ${message}`)
  const complaintsAbout = (line: Accepted) =>
    findings.some((finding) => accepts(line, finding))
      ? []
      : ['No template has such a warning any more. Take the line out of the list.']
  return [
    ...templates.map((template) => ({ about: template, complaints: complaintsIn(template) })),
    ...list.map((line) => ({ about: `accepted ${line.rule} at ${line.place}`, complaints: complaintsAbout(line) })),
  ]
}

/** An error is never accepted. */
const accepts = (line: Accepted, { level, rule, place, message }: Finding): boolean =>
  level === 'Warning' && line.rule === rule && line.place === place && line.message.test(message)
