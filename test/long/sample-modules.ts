/** A request to run a sample: its file, and the environment variables that the sample reads. */
export interface SampleModule {
  readonly file: string
  readonly env: Readonly<Record<string, string>>
}

/** The values that a sample passed to `console.log`, or the error that ended the sample. */
export type PrintedValues = { readonly values: readonly unknown[] } | { readonly error: string }

// This process runs samples in TypeScript one after the other, because a process for each would take most of the time.
const environment = process.env
process.on('message', async ({ file, env }: SampleModule) => {
  process.env = { ...environment, ...env }
  let values: readonly unknown[] = []
  console.log = (...printed) => {
    values = printed
  }
  try {
    await import(file)
    process.send!({ values } satisfies PrintedValues)
  } catch (error) {
    process.send!({ error: String(error) } satisfies PrintedValues)
  }
})
