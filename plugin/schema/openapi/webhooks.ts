/** The section `webhooks`: all events, and the bodies of their deliveries, with those of the fixtures as examples. */
import type { Catalog } from '../catalog.js'
import type { JsonSchema } from '../kinds/json-schema.js'
import { kindOf } from '../kinds/kinds.js'
import { objectOf } from './object-schemas.js'
import type { Described } from './shared-components.js'

/** Fixtures of deliveries as in files, by name. Any part of them may be missing. */
export type DeliverySources = ReadonlyMap<string, unknown>

const NAME: JsonSchema = { type: 'string', maxLength: 255 }
const NUMBER: JsonSchema = { type: 'integer', minimum: 1 }
const NUMBER_OR_NULL: JsonSchema = { type: ['integer', 'null'] }
/** Fixtures that are shown as forms, too. All others are JSON only, because the document must stay small (ADR 13). */
const SHOWN_AS_FORM: ReadonlySet<string> = new Set([
  'person.update',
  'request.create',
  'request.note-added',
  'request.status-changed',
  'request.target-warning',
  'request.team-changed',
  'request.update',
])

/** The events of a catalog. Host types and extensions have theirs among them. */
export function eventsOf(catalog: Catalog): readonly string[] {
  const fields = [...catalog.types.values()].flatMap(({ fields }) => [...fields.values()])
  return fields.find((field) => kindOf(field).holdsEvents)?.values ?? []
}

/** The section: one path item, because deliveries of all events look alike. Its bodies name the events. */
export function webhooksOf(events: readonly string[], sources: DeliverySources): Described {
  const data = dataOf(events)
  const event = objectOf({ type: NAME, timestamp: { type: 'string', format: 'date-time' }, data }, [
    'type',
    'timestamp',
    'data',
  ])
  const content = {
    'application/x-www-form-urlencoded': { schema: { type: 'object' }, ...examplesOf(sources, formIn) },
    'application/json': { schema: event, ...examplesOf(sources, jsonIn) },
  }
  return {
    delivery: {
      post: {
        summary: 'Tell a receiver of an event',
        description:
          'In the form that the webhook asks for: a form has the names of `data`. Repeated until a 2xx comes, or 410.',
        security: [],
        requestBody: { required: true, content },
        responses: { '2XX': { description: 'Received.' }, 410: { description: 'Never send this again.' } },
      },
    },
  }
}

/** A reference to the record, and what the event says of it. A form has names such as `payload[team][id]`. */
function dataOf(events: readonly string[]): JsonSchema {
  return objectOf(
    {
      webhook_id: NUMBER,
      account: { type: 'string', format: 'uri' },
      name: NAME,
      event: { type: 'string', enum: [...events] },
      object_id: NUMBER,
      person_id: NUMBER_OR_NULL,
      person_name: { type: ['string', 'null'], maxLength: 255 },
      payload: { type: 'object' },
    },
    ['webhook_id', 'account', 'name', 'event', 'object_id', 'person_id', 'person_name'],
  )
}

function examplesOf(sources: DeliverySources, valueIn: (fixture: Values, name: string) => unknown): Described {
  const examples = [...sources].flatMap(([name, fixture]) => {
    const value = valueIn(Object(fixture) as Values, name)
    return value === null ? [] : [[name, { value }] as const]
  })
  return examples.length > 0 ? { examples: Object.fromEntries(examples) } : {}
}

type Values = { readonly [name: string]: unknown }

/** A form as it is sent, of the pairs of names and values in a fixture. */
function formIn({ form }: Values, name: string): unknown {
  if (!SHOWN_AS_FORM.has(name) || !Array.isArray(form) || !form.every((pair) => Array.isArray(pair) && pair.length === 2))
    return null
  return new URLSearchParams(form.map(([name, value]) => [String(name), String(value)] as [string, string])).toString()
}

function jsonIn({ json }: Values): unknown {
  return typeof json === 'object' ? (json ?? null) : null
}
