import { CfnParameter, CfnRule, Fn, type Stack } from 'aws-cdk-lib'

/**
 * Makes CloudFormation refuse a stack that `cdk deploy` brings without a release. A plain deployment would replace the
 * functions that serve, all at once. `npm run release` synthesizes the stacks without this rule.
 */
export function refusePlainDeployment(stack: Stack, stage: string): void {
  const released = new CfnParameter(stack, 'Released', {
    default: 'no',
    allowedValues: ['no', 'by npm run release'],
    description: 'A release deploys this stack. Do not set this parameter.',
  })
  new CfnRule(stack, 'ReleasedOnly', {
    assertions: [
      {
        assert: Fn.conditionEquals(released.valueAsString, 'by npm run release'),
        assertDescription: `Deploy this stage with: npm run release -- --stage ${stage}`,
      },
    ],
  })
}
