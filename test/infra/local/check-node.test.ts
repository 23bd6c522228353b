import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const script = join(import.meta.dirname, '../../../infra/local/check-node.cjs')

/** Runs the check in a process that reports this version of Node. */
function checkOn(version: string) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, script],
    { encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

describe('infra/local/check-node.cjs', () => {
  test.each(['12.22.12', '20.20.2', '23.11.1'])(
    'refuses Node %s and prints one sentence that says how to install Node 24',
    (version) => {
      const { status, stdout, stderr } = checkOn(version)
      expect(status).toBe(1)
      expect(stdout).toBe('')
      expect(stderr).toBe(
        `This needs Node 24, but runs on Node ${version}: run \`npm ci\`, which installs it for the npm scripts, or install Node 24.\n`,
      )
    },
  )

  test.each(['24.0.0', '24.21.0', '100.1.0'])('accepts Node %s and prints nothing', (version) => {
    expect(checkOn(version)).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})
