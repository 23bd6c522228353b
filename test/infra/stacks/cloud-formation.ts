import type { DeployedStack } from '#test/fixtures/stage-stacks.ts'

/** A model of CloudFormation's rules about deletions and names, for the stacks of one account and region. */
export class CloudFormation {
  readonly #stacks = new Map<string, DeployedStack>()

  get names(): string[] {
    return [...this.#stacks.keys()]
  }

  /**
   * Creates or updates a stack. Returns the type of every resource that the update deletes. Throws if an import has no
   * export, if the update changes or removes an export that another stack imports, or if it creates a resource whose name
   * another resource has: CloudFormation creates before it deletes.
   */
  deploy(stack: DeployedStack): string[] {
    const missing = [...importsOf(stack)].find((name) => !this.#exports().has(name))
    if (missing !== undefined) throw new Error(`No export named ${missing} found.`)
    const before = this.#stacks.get(stack.name)
    this.#refuseTakenNames(stack, before)
    const after = exportsOf(stack)
    for (const [name, value] of before ? exportsOf(before) : [])
      if (after.get(name) !== value) this.#refuseWhereImported(name, stack.name)
    this.#stacks.set(stack.name, stack)
    return Object.entries<Resource>(before?.template.Resources ?? {}).flatMap(([id, resource]) =>
      id in stack.template.Resources || isRetained(resource) ? [] : [resource.Type],
    )
  }

  /** Deletes a stack. Throws if the stack is protected, or if another stack imports one of its exports. */
  delete(name: string, { protectionLifted }: { protectionLifted: boolean }): void {
    const stack = this.#stacks.get(name)!
    if (stack.terminationProtection && !protectionLifted) throw new Error(`${name} is protected from termination.`)
    for (const [exported] of exportsOf(stack)) this.#refuseWhereImported(exported, name)
    this.#stacks.delete(name)
  }

  #refuseTakenNames(stack: DeployedStack, before: DeployedStack | undefined): void {
    const own = before ? namesIn(before) : new Map<string, string>()
    const taken = new Set([...this.#stacks.values()].flatMap((one) => [...namesIn(one).values()]))
    for (const [id, name] of namesIn(stack))
      if (own.get(id) !== name && taken.has(name)) throw new Error(`${name} already exists.`)
  }

  #exports(): Set<string> {
    return new Set([...this.#stacks.values()].flatMap((stack) => [...exportsOf(stack).keys()]))
  }

  #refuseWhereImported(name: string, exporting: string): void {
    const importing = [...this.#stacks.values()].find((one) => one.name !== exporting && importsOf(one).has(name))
    if (importing) throw new Error(`Export ${name} is in use by ${importing.name}.`)
  }
}

interface Resource {
  readonly Type: string
  readonly DeletionPolicy?: string
}

const isRetained = ({ DeletionPolicy }: Resource): boolean => DeletionPolicy?.startsWith('Retain') ?? false

/** The values that a stack exports, as JSON, by their names. */
export function exportsOf({ template }: DeployedStack): Map<string, string> {
  const outputs = Object.values<{ Export?: { Name: string }; Value: unknown }>(template.Outputs ?? {})
  return new Map(outputs.flatMap(({ Export, Value }) => (Export ? [[Export.Name, JSON.stringify(Value)]] : [])))
}

/** The names of all exports that a stack imports. */
export function importsOf({ template }: DeployedStack): Set<string> {
  const names = JSON.stringify(template).matchAll(/\{"Fn::ImportValue":"([^"]+)"\}/g)
  return new Set([...names].map(([, name]) => name!))
}

/** The properties that name a resource within its account and region. */
const naming = [
  'FunctionName',
  'RoleName',
  'LogGroupName',
  'QueueName',
  'TableName',
  'TopicName',
  'AlarmName',
  'DashboardName',
]

/** The literal names of a stack's resources by their ids, each with its type. */
function namesIn({ template }: DeployedStack): Map<string, string> {
  const resources = Object.entries<{ Type: string; Properties?: Record<string, unknown> }>(template.Resources)
  return new Map(
    resources.flatMap(([id, { Type, Properties = {} }]) => {
      if (/MetricFilter|EventSourceMapping|Permission|Policy/.test(Type)) return []
      const name = [...naming, 'AliasName', 'BucketName', 'Name', 'StageName']
        .map((key) => Properties[key])
        .find(Boolean)
      return name === undefined ? [] : [[id, `${Type} ${JSON.stringify(name)}`]]
    }),
  )
}
