import type { TestProject } from 'vitest/node'
import { installStripeMock, startLocalstripe, startStripeMock } from './servers.ts'

declare module 'vitest' {
  interface ProvidedContext {
    stripe_mock_url: string
    localstripe_url: string
    /** The folder of Stripe's API description. */
    openapi: string
  }
}

/** Installs the independent programs, and runs them for as long as the tests run. */
export default async function setup(project: TestProject): Promise<() => void> {
  const { command, openapi } = installStripeMock()
  const mock = await startStripeMock(command)
  const local = await startLocalstripe().catch((error) => {
    mock.stop()
    throw error
  })
  project.provide('stripe_mock_url', mock.url)
  project.provide('localstripe_url', local.url)
  project.provide('openapi', openapi)
  return () => {
    mock.stop()
    local.stop()
  }
}
