import { Dashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'
import type { Names } from '#infra/names.ts'
import type { Stage } from '#infra/stage.ts'
import { queueNames } from '#shared/background.ts'
import { blocking_rules, marking_rules } from './firewall-rules.ts'
import { metricsOf } from './metrics.ts'

/** The dashboard of a stage on one screen: requests, payments, deliveries, overdue work, queues and the firewall. */
export function dashboard(scope: Construct, names: Names, stage: Stage): Dashboard {
  const metrics = metricsOf(names, stage)
  const graph = (title: string, left: IMetric[], right: IMetric[] = []) =>
    new GraphWidget({ title, left, right, width: 8, height: 6 })
  return new Dashboard(scope, 'Dashboard', {
    dashboardName: names.stack('overview'),
    widgets: [
      [
        graph('Requests', [metrics.requests], [metrics.client_errors, metrics.server_errors]),
        graph('Latency', ['p50', 'p99'].map(metrics.latency)),
        graph('Payments by outcome', [metrics.payments]),
      ],
      [
        graph('Deliveries by attempt', [metrics.attempts]),
        graph('First delivery after its event', ['p50', 'p99'].map(metrics.first_latency)),
        graph('Overdue', [metrics.overdue, metrics.outbox], [metrics.good_sweeps]),
      ],
      [
        graph('Waiting in queues', queueNames.map(metrics.waiting)),
        graph('Dead letters', [...queueNames.map(names.deadLetters), names.lostWakeUps].map(metrics.dead)),
        graph('Unresolved at the acquirer', [metrics.unresolved], [metrics.unresolved_seconds]),
      ],
      ...(stage.firewall
        ? [
            [
              graph('Blocked by the firewall', blocking_rules.map(metrics.blocked)),
              graph('Marked by the firewall', marking_rules.map(metrics.marked)),
            ],
          ]
        : []),
    ],
  })
}
