import { expect, inject, test } from 'vitest'
import { deployStack, removeFrom, templateOf } from './deployment.ts'

test('the stack Operations is created without the alarms over metric math', async () => {
  const assembly = inject('assembly')
  const { Resources } = templateOf(assembly, 'Operations')
  const alarms = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm')
  const overMath = alarms.filter(([, { Properties }]) => 'Metrics' in Properties).map(([id]) => id)
  expect(overMath.length).toBeGreaterThan(0)
  expect(alarms.length).toBeGreaterThan(overMath.length)
  removeFrom(assembly, 'Operations', overMath)
  await deployStack(inject('emulator').env, assembly, 'Operations', '--exclusively')
})
