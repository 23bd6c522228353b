import type { TestProject } from 'vitest/node'
import { deploy } from './deployment.ts'
import { type Emulator, startEmulator } from './emulator.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly assembly: string
    readonly url: string
    readonly emulator: Pick<Emulator, 'url' | 'env'>
  }
}

/** Runs the emulator with the deployed stage for as long as the tests run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const emulator = await startEmulator()
  try {
    Object.assign(process.env, emulator.env)
    const { assembly, url } = await deploy(emulator)
    project.provide('assembly', assembly)
    project.provide('url', url)
    project.provide('emulator', { url: emulator.url, env: emulator.env })
  } catch (error) {
    await emulator.stop()
    throw error
  }
  return emulator.stop
}
