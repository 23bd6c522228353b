import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, test } from 'vitest'
import { namesOf } from '#infra/names.ts'
import { ApiStack } from '#infra/stacks/api-stack.ts'
import { stageNames } from '#infra/stage.ts'
import { stageOf } from '#test/fixtures/stages.ts'
import { textOf } from './source-files.ts'

const folder = '.github/workflows'
const workflows = readdirSync(join(import.meta.dirname, '../..', folder)).sort()
const [check, deploy] = ['check.yml', 'deploy.yml'].map((file) => textOf(`${folder}/${file}`)) as [string, string]

/** The jobs of a workflow by name. */
function jobsOf(workflow: string): Record<string, string> {
  const [, jobs = ''] = workflow.split(/^jobs:\n/m)
  const [, ...parts] = jobs.split(/^ {2}(\w+):\n/m)
  return Object.fromEntries(parts.flatMap((name, index) => (index % 2 === 0 ? [[name, parts[index + 1]!]] : [])))
}

/** The commands of the step that contains `mark`. */
function scriptAt(workflow: string, mark: string): string {
  const [, step = ''] = workflow.split(mark)
  const [, script = ''] = /run: \|\n((?: {10}.*\n)+)/.exec(step) ?? []
  return script.replaceAll(/^ {10}/gm, '')
}

describe('the workflows', () => {
  const jobs = [check, deploy].flatMap((workflow) => Object.entries(jobsOf(workflow)))

  test('consist of check.yml and deploy.yml with these jobs', () => {
    expect(workflows).toEqual(['check.yml', 'deploy.yml'])
    expect(jobs.map(([name]) => name)).toEqual(['check', 'diff', 'check', 'deploy'])
  })

  test('contain no long-lived AWS key', () => {
    for (const workflow of [check, deploy])
      expect(workflow).not.toMatch(/aws[-_](access[-_]key|secret|session[-_]token)|AKIA/i)
    expect([...`${check}${deploy}`.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name)).toEqual(['SMOKE_KEY'])
  })

  test('give an id token only to jobs that assume a role, and no permission to write to the repository', () => {
    for (const workflow of [check, deploy]) {
      expect(workflow).toMatch(/^permissions:\n {2}contents: read\n\n/m)
      expect(workflow.replaceAll(/(contents: read|id-token: write)$/gm, '')).not.toMatch(/: (write|read|write-all)$/m)
    }
    for (const [name, job] of jobs) expect(/id-token: write/.test(job), name).toBe(/role-to-assume/.test(job))
    expect(jobs.filter(([, job]) => job.includes('role-to-assume'))).toHaveLength(2)
  })

  test('install packages without scripts in jobs that can get a token', () => {
    for (const [name, job] of jobs.filter(([, job]) => job.includes('id-token: write'))) {
      const installations = [...job.matchAll(/\bnpm (?:ci|install|i)\b.*$/gm)].map(([command]) => command)
      expect(installations, name).toEqual(['npm ci --ignore-scripts'])
      expect(job, name).not.toContain('.ci/run')
      // The skipped script of the package would install the Node version that everything runs on.
      expect(job, name).toMatch(/node-version: 24\n/)
    }
  })

  test('pin the actions of others to a commit', () => {
    const uses = [...`${check}${deploy}`.matchAll(/uses: (.*)$/gm)].map(([, action]) => action)
    expect(uses.length).toBeGreaterThan(5)
    for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  test('run only npm scripts that exist', () => {
    const scripts = Object.keys(JSON.parse(textOf('package.json')).scripts)
    const named = [...`${check}${deploy}`.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name)
    expect(named).toContain('smoke')
    for (const name of named) expect(scripts).toContain(name)
    expect(jobsOf(check).check).toContain('run: bash .ci/run\n')
    expect(jobsOf(deploy).check).toContain('run: bash .ci/run\n')
  })

  test('use no expressions inside commands, where a name from outside could inject code', () => {
    for (const workflow of [check, deploy]) {
      for (const [line] of workflow.matchAll(/run: (?!\|).*$/gm)) expect(line).not.toContain('${{')
      for (const [script] of workflow.matchAll(/run: \|\n(?:( {10}.*)?\n)+/g)) expect(script).not.toContain('${{')
    }
  })

  test('compare every stage', () => {
    expect(jobsOf(check).diff).toContain(`stage: [${stageNames.join(', ')}]\n`)
    expect(jobsOf(check).diff).toContain('cdk diff --method template -c "stage=$STAGE"')
  })
})

describe('a deployment', () => {
  const job = jobsOf(deploy).deploy!

  test('starts on a tag of a stage', () => {
    expect(deploy).toContain(`tags: [${stageNames.map((stage) => `'${stage}-*'`).join(', ')}]\n`)
  })

  /** The output of the tag step for a ref. Throws if the ref names no stage. */
  function stageFrom(ref: string): string {
    const scratch = mkdtempSync(join(tmpdir(), 'tag-'))
    const output = join(scratch, 'output')
    writeFileSync(output, '')
    const env = { GITHUB_REF: ref, GITHUB_REF_NAME: ref.replace(/^refs\/(tags|heads)\//, ''), GITHUB_OUTPUT: output }
    try {
      execFileSync('bash', ['-e', '-o', 'pipefail', '-c', scriptAt(deploy, 'id: tag')], { env, stdio: 'pipe' })
      return readFileSync(output, 'utf8')
    } finally {
      rmSync(scratch, { recursive: true })
    }
  }

  test.each(stageNames)('of %s follows from its tag', (stage) => {
    expect(stageFrom(`refs/tags/${stage}-1.4.0-rc-2`)).toBe(`stage=${stage}\n`)
  })

  test.each(['refs/heads/main', 'refs/heads/prod-1', 'refs/tags/v1.0.0', 'refs/tags/production-1', 'refs/tags/prod'])(
    'of %s is refused',
    (ref) => {
      expect(() => stageFrom(ref)).toThrow('Command failed')
    },
  )

  test('uses the environment and the role of its stage, after all checks', () => {
    expect(job).toContain('needs: check\n')
    expect(job).toMatch(/environment: \$\{\{ needs\.check\.outputs\.stage \}\}\n/)
    expect(job).toMatch(/STAGE: \$\{\{ needs\.check\.outputs\.stage \}\}\n/)
    expect(job).toMatch(/role-to-assume: \$\{\{ vars\.DEPLOYER_ROLE \}\}\n/)
  })

  test('takes the definition of the stage from the main branch, whatever its tag', () => {
    const [, step = ''] = job.split('# An earlier tag holds an earlier definition')
    expect(step).toMatch(/ref: main\n +path: \.main\n +sparse-checkout: infra\/stages\n/)
    const scratch = mkdtempSync(join(tmpdir(), 'definition-'))
    try {
      for (const [path, text] of [
        ['infra/stages', 'tag'],
        ['.main/infra/stages', 'main'],
      ] as const) {
        mkdirSync(join(scratch, path), { recursive: true })
        writeFileSync(join(scratch, path, 'prod.json'), text)
      }
      const [, command = ''] = /^ +- run: (.*)$/m.exec(step) ?? []
      execFileSync('bash', ['-e', '-o', 'pipefail', '-c', command], { cwd: scratch, stdio: 'pipe' })
      expect(readFileSync(join(scratch, 'infra/stages/prod.json'), 'utf8')).toBe('main')
      expect(readdirSync(scratch)).toEqual(['infra'])
    } finally {
      rmSync(scratch, { recursive: true })
    }
    expect(job.indexOf(step)).toBeLessThan(job.indexOf('cdk deploy'))
  })

  test('passes only the stage to the CDK', () => {
    for (const workflow of [check, deploy]) {
      const given = [...workflow.matchAll(/ -c (\S+)/g)].map(([, value]) => value)
      expect(given).toEqual(['"stage=$STAGE"'])
      expect(workflow).not.toContain('GIVEN')
    }
  })

  test('is not cancelled by the next deployment of its stage', () => {
    expect(job).toMatch(
      /concurrency:\n +group: deploy-\$\{\{ needs\.check\.outputs\.stage \}\}\n +cancel-in-progress: false\n/,
    )
  })

  test('adopts the log groups that a deleted stack has left', () => {
    expect(job).toMatch(/run: npx --no-install cdk deploy .*--import-existing-resources /)
  })

  test('runs the smoke test against the URL that the stack exports', () => {
    const order = ['npm ci --ignore-scripts', 'role-to-assume', 'cdk deploy --all -c "stage=$STAGE"', 'npm run smoke']
    const places = order.map((step) => job.indexOf(step))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(places).not.toContain(-1)
    expect(job).toContain('--outputs-file outputs.json')
    expect(job).toMatch(/^ +SMOKE_KEY: \$\{\{ secrets\.SMOKE_KEY \}\}$/m)
    expect(job).toMatch(/^ +SMOKE_PUBLISHABLE_KEY: \$\{\{ vars\.SMOKE_PUBLISHABLE_KEY \}\}$/m)
    expect(job).toContain(`".\\"${namesOf('$STAGE').stack('api')}\\".BaseUrl" outputs.json`)
    expect(
      Template.fromStack(new ApiStack(new App(), 'Api', { stage: stageOf('dev') })).findOutputs('BaseUrl'),
    ).toHaveProperty('BaseUrl')
  })
})
