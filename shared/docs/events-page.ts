import { html } from 'hono/html'
import { type EventType, event_types } from '#shared/domain/event.ts'
import { event_list_types } from '#shared/domain/webhook.ts'
import { apiDescription, type Body, exampleOf, resolved } from './api-description.ts'
import type { Article } from './article.ts'
import { event_texts } from './event-texts.ts'
import type { Html } from './guide.ts'
import { jsonText } from './json-text.ts'
import { singular } from './resource-names.ts'
import { retrySchedule } from './retry-schedule-section.ts'
import { codeBlock } from './sample-tabs.ts'
import { pathTo, type Site } from './site.ts'

/** The types that a webhook can list, although no such event occurs. */
const unused_types = event_list_types.filter((type) => !(event_types as readonly string[]).includes(type))

const unusedEntry = (type: string): Html =>
  html`<section class="entry"><h2 id="${type}"><code>${type}</code></h2><p>A webhook can list this type, but the service sends no such event. The event of a settlement is <a href="#settlement.created"><code>settlement.created</code></a>.</p></section>`

/** The catalogue of events: every type with its meaning and a payload, then the retry schedule. */
export const events_article: Article = {
  title: 'Event catalogue',
  summary: 'Every event type: when it occurs, what its data holds, and how a failed delivery is repeated.',
  lead: 'Every event type: when it occurs, what its data holds, and how a failed delivery is repeated.',
  headings: [
    { id: 'envelope', title: 'The event object' },
    ...event_types.map((type) => ({ id: type, title: type })),
    ...unused_types.map((type) => ({ id: type, title: type })),
    { id: 'retries', title: 'Retry schedule' },
  ],
  body,
}

function body(site: Site): Html {
  const shown = new Map<string, EventType>()
  return html`${envelope(site)}${event_types.map((type) => entryOf(site, type, shown))}${unused_types.map(unusedEntry)}${retrySchedule()}`
}

const envelope = (site: Site): Html =>
  html`<h2 id="envelope">The event object</h2><p>A delivery is a signed <code>POST</code> to your URL. Its body is the event: <code>id</code>, <code>type</code>, <code>resource</code> (<code>event</code>), <code>created_at</code>, and in <code>data</code> the resource as it was when the event occurred. <a href="${pathTo(site, 'reference/events')}">The reference of events</a> lists the fields. Deliveries can arrive twice and out of order: remember the <code>id</code> of each event that you processed.</p>`

function entryOf(site: Site, type: EventType, shown: Map<string, EventType>): Html {
  const { meaning, data } = event_texts[type]
  return html`<section class="entry"><h2 id="${type}"><code>${type}</code></h2><p>${meaning} <code>data</code> is <a href="${pathTo(site, `reference/${data}`)}">the ${singular(data)}</a>.</p>${payloadOf(type, shown)}</section>`
}

/** Shows the recorded payload of an event type, or which entry shows the same one. */
function payloadOf(type: EventType, shown: Map<string, EventType>): Html | '' {
  const operation = apiDescription.webhooks?.[type]?.post
  const request = operation?.requestBody && resolved<Body>(operation.requestBody)
  const example = exampleOf(request?.content?.['application/json'])
  if (example === undefined) return ''
  const text = jsonText(example)
  const same = shown.get(text)
  if (same) return html`<p>The payload is that of <a href="#${same}">${same}</a>.</p>`
  shown.set(text, type)
  return html`<details><summary>Payload</summary>${codeBlock(type, text)}</details>`
}
