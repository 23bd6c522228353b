import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The interpreter of a Python environment that holds exactly what a requirements file names. The first call for a file makes
 * the environment in `.build/`, for which it needs python3 and the network; later calls need no network. Throws where Python 3
 * is missing.
 */
export function pythonWith(name: string, requirements: string): string {
  const version = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 8)
  const folder = fileURLToPath(new URL(`../../.build/${name}-${version}`, import.meta.url))
  const interpreter = `${folder}/bin/python`
  if (!existsSync(`${folder}/complete`)) {
    makeEnvironment(name, folder)
    execFileSync(interpreter, ['-m', 'pip', 'install', '--quiet', '--requirement', requirements])
    writeFileSync(`${folder}/complete`, '')
  }
  return interpreter
}

function makeEnvironment(name: string, folder: string): void {
  try {
    execFileSync('python3', ['-m', 'venv', '--clear', folder])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Error(`Python 3 is missing: ${name} needs the command python3 with its module venv.`)
  }
}
