import { Aws, Stack } from 'aws-cdk-lib'
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { StringParameter } from 'aws-cdk-lib/aws-ssm'
import type { Construct } from 'constructs'
import { arnOf } from '#infra/access/access-policies.ts'
import { alarmsOf } from '#infra/constructs/alarms.ts'
import { dashboard } from '#infra/constructs/dashboard.ts'
import { accept } from '#infra/constructs/nag-review.ts'
import { type Names, namesOf } from '#infra/names.ts'
import type { Stage } from '#infra/stage.ts'

/** The alarms and the dashboard of a stage. Alarms go to a topic, to which the people on call subscribe. */
export class OperationsStack extends Stack {
  constructor(scope: Construct, id: string, { stage }: { stage: Stage }) {
    const names = namesOf(stage.name)
    super(scope, id, { stackName: names.stack('operations'), terminationProtection: stage.deletionProtection })
    const onCall = new SnsAction(this.#topic(names, stage))
    for (const { id, name, description, ...row } of alarmsOf(names, stage)) {
      new Alarm(this, id, { alarmName: name, alarmDescription: description, ...row }).addAlarmAction(onCall)
    }
    dashboard(this, names, stage)
  }

  #topic(names: Names, { properties: { alarm_emails } }: Stage): Topic {
    const masterKey = Key.fromKeyArn(this, 'DataKey', StringParameter.valueForStringParameter(this, names.dataKeyArn))
    const topic = new Topic(this, 'Alarms', { topicName: names.alarms, masterKey, enforceSSL: true })
    // `enforceSSL` gives the topic a policy, which replaces the default one. So the policy must allow CloudWatch to
    // publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [arnOf('sns', names.alarms)],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    )
    for (const email of alarm_emails === 'none' ? [] : alarm_emails) topic.addSubscription(new EmailSubscription(email))
    accept(
      topic,
      ['Serverless-SNSRedrivePolicy'],
      'SNS retries by itself, and the state of the alarm stays visible if no e-mail arrives.',
    )
    return topic
  }
}
