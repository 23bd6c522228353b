import { type Stage, stageOf as withProperties } from '#infra/stage.ts'
import { propertyNames, type StageProperties } from '#infra/stage-properties.ts'

/** Every property stated as one that the stage does not have. */
export const noProperties = Object.fromEntries(
  propertyNames.map((name) => [name, 'none']),
) as unknown as StageProperties

/** A value for every property. */
export const allProperties = {
  domain: {
    name: 'api.shop.example',
    certificate_arn: 'arn:aws:acm:eu-west-1:111122223333:certificate/1',
  },
  alarm_emails: ['on-call@shop.example'],
  fixed_addresses: {
    on: true,
    addresses: [
      { allocation_id: 'eipalloc-0aaaaaaaaaaaaaaaa', public_ip: '203.0.113.10' },
      { allocation_id: 'eipalloc-0bbbbbbbbbbbbbbbb', public_ip: '203.0.113.11' },
    ],
  },
} as const satisfies StageProperties

/** A stage with these properties and no others, whatever its committed definition states. */
export const stageOf = (name: string, properties: Partial<StageProperties> = {}): Stage =>
  withProperties(name, { ...noProperties, ...properties })

/** A stage with every property. */
export const fullStageOf = (name: string): Stage => stageOf(name, allProperties)
