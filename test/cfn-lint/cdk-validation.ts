import { join, relative } from 'node:path'
import { App, CloudFormationValidatePlugin } from 'aws-cdk-lib'
import type { Finding } from './verdicts.ts'

/**
 * Returns what CDK's built-in validation finds in templates, which are given as paths within the folder. `infra/app.ts`
 * switches this validation off: it takes a third of the time of each synthesis, and a finding would only be a warning.
 */
export function validationFindings(templates: readonly string[], folder: string): Finding[] {
  const templatePaths = templates.map((template) => join(folder, template))
  const { violations } = new CloudFormationValidatePlugin().validate({
    templatePaths,
    stackTemplates: templatePaths.map((templatePath) => ({
      templatePath,
      stackConstructPath: relative(folder, templatePath),
      accountId: undefined,
      region: undefined,
    })),
    appConstruct: new App(),
  })
  return violations.flatMap(({ ruleName, severity = 'warning', description, violatingResources }) =>
    violatingResources.map(({ templatePath = '', resourceLogicalId, constructPath = '', locations }) => ({
      template: relative(folder, templatePath),
      // CDK writes its levels in lower case, so none of its findings is among the accepted warnings.
      level: severity,
      rule: ruleName,
      place: [resourceLogicalId ?? constructPath, ...locations].join(' '),
      message: description,
    })),
  )
}
