import { namesOf } from '#infra/names.ts'
import type { Domain, FixedAddresses, PropertyName } from '#infra/stage-properties.ts'

/** The steps that follow the removal of a property from the definition of a stage. `value` is what the stage had. */
export function removalSteps(stage: string, name: PropertyName, value: unknown): string[] {
  return [
    `${name} of ${stage} was ${JSON.stringify(value)}.`,
    `1. Commit infra/stages/${stage}.json and infra/stages/${stage}.lock.json, and deploy ${stage}.`,
    ...following[name](stage, value),
  ]
}

const following: Readonly<Record<PropertyName, (stage: string, value: unknown) => string[]>> = {
  alarm_emails: () => [],
  domain: (_, value) => {
    const { name } = value as Domain
    return [
      `2. A protected stage still answers at ${name}, because API Gateway retains the name. Delete the name when no merchant uses it any more:`,
      `  aws apigateway delete-domain-name --domain-name ${name}`,
      '   To use the name for a stage again instead, delete its mapping just before that deployment:',
      `  aws apigateway delete-base-path-mapping --domain-name ${name} --base-path '(none)'`,
    ]
  },
  fixed_addresses: (stage, value) => {
    const { on, addresses } = value as FixedAddresses
    return on ? networkSteps(stage) : addresses.map(releaseStep)
  },
}

function networkSteps(stage: string): string[] {
  const name = namesOf(stage).stack('network')
  return [
    '   This deployment takes the functions out of the network. It deletes nothing, and the addresses stay in the definition.',
    '2. Delete the network. CloudFormation refuses this before step 1, and Lambda needs up to 20 minutes to leave the subnets:',
    `  aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${name}`,
    `  aws cloudformation delete-stack --stack-name ${name} && aws cloudformation wait stack-delete-complete --stack-name ${name}`,
    `3. To use the same addresses again, write "on": true in infra/stages/${stage}.json. To release them for good:`,
    `  npm run operate -- remove-property fixed_addresses --stage ${stage}`,
  ]
}

const releaseStep = ({ allocation_id, public_ip }: FixedAddresses['addresses'][number], index: number): string =>
  `${index + 2}. Release ${public_ip}: aws ec2 release-address --allocation-id ${allocation_id}`
