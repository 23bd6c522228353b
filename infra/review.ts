import { type App, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import type { IConstruct } from 'constructs'

/** The packs of rules that every stack is held against. */
export const packsFor = (app: App) => [new AwsSolutionsChecks(app), new ServerlessChecks(app)]

/** Holds all stacks of the app against the packs of rules whenever it is synthesized, which fails on any finding. */
export function review(app: App): void {
  Validations.of(app).addPlugins(...packsFor(app))
}

/** Lets findings stand, of this construct alone and of what is in it, for a reason that a reviewer can judge. */
export function accept(construct: IConstruct, ids: readonly string[], reason: string): void {
  Validations.of(construct).acknowledge(...ids.map((id) => ({ id, reason })))
}
