import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { validationFindings } from '#test/cfn-lint/cdk-validation.ts'

const queue = (Properties: object) => JSON.stringify({ Resources: { Queue: { Type: 'AWS::SQS::Queue', Properties } } })

test("CDK's validation finds a wrong property in a template, and nothing in a correct one", () => {
  const folder = mkdtempSync(join(tmpdir(), 'validation-'))
  try {
    writeFileSync(join(folder, 'good.template.json'), queue({ DelaySeconds: 5 }))
    writeFileSync(join(folder, 'bad.template.json'), queue({ DelaySeconds: 'soon' }))
    const findings = validationFindings(['good.template.json', 'bad.template.json'], folder)
    expect(findings).toContainEqual({
      template: 'bad.template.json',
      level: 'error',
      rule: expect.any(String),
      place: expect.stringContaining('DelaySeconds'),
      message: expect.any(String),
    })
    expect(new Set(findings.map(({ template }) => template))).toEqual(new Set(['bad.template.json']))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
