import type { Accepted } from './accepted.ts'

/** What cfn-lint or the validation of CDK found in a template. */
export interface Finding {
  readonly template: string
  readonly level: string
  readonly rule: string
  /** The type of the resource and the path of the finding within it, or the whole path if it is in no resource. */
  readonly place: string
  readonly message: string
}

/** The result for a template or for an entry of the accepted warnings. It passes if it has no complaints. */
export interface Verdict {
  readonly about: string
  readonly complaints: readonly string[]
}

/** The verdicts on all templates, followed by those on all accepted warnings. */
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
      : ['No template has this warning. Remove the entry from the list.']
  return [
    ...templates.map((template) => ({ about: template, complaints: complaintsIn(template) })),
    ...list.map((line) => ({ about: `accepted ${line.rule} at ${line.place}`, complaints: complaintsAbout(line) })),
  ]
}

/** Whether an entry accepts a finding. An error is never accepted. */
const accepts = (line: Accepted, { level, rule, place, message }: Finding): boolean =>
  level === 'Warning' && line.rule === rule && line.place === place && line.message.test(message)
