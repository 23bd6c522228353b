/** A warning of cfn-lint that may stay in the templates. */
export interface Accepted {
  readonly rule: string
  /** The type of the resource and the path of the finding within it. */
  readonly place: string
  /** Matches the message of the warning. */
  readonly message: RegExp
  /** Why the warning may stay. */
  readonly reason: string
}

/** The accepted warnings. A warning outside this list fails, and so does an entry without a warning. */
export const accepted: readonly Accepted[] = [
  {
    rule: 'W3005',
    place: 'AWS::Lambda::Function DependsOn.0',
    message: /^'\w+role\w+' dependency already enforced by a 'GetAtt' at 'Resources\/\w+\/Properties\/Role'$/,
    reason:
      'CDK makes every function depend on its role. The function names the role as well, so the order is the same.',
  },
]
