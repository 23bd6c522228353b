import { type App, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import type { IConstruct } from 'constructs'

/** The rule packs of cdk-nag that check every stack. */
export const packsFor = (app: App) => [new AwsSolutionsChecks(app), new ServerlessChecks(app)]

/** Checks all stacks of the app with the rule packs at each synthesis. Any finding fails the synthesis. */
export function review(app: App): void {
  Validations.of(app).addPlugins(...packsFor(app))
}

/** Accepts findings on this construct and what it contains, for a reason that a reviewer can judge. */
export function accept(construct: IConstruct, ids: readonly string[], reason: string): void {
  Validations.of(construct).acknowledge(...ids.map((id) => ({ id, reason })))
}
