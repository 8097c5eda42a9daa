import type { JsonObject } from '../../core/json'
import { objectsOf, textOf } from '../../core/neutral/read'
import { textOfEvent } from './errors'
import { outputItems } from './turns'

/** An event that has no number yet. */
type Unnumbered = JsonObject

/**
 * Returns the stream of a response that is over, behind the event of this number; with -1 all of it.
 * https://platform.openai.com/docs/api-reference/responses/get
 */
export const replayedStream = (response: JsonObject, startingAfter = -1): string =>
  replayedEvents(response)
    .slice(startingAfter + 1)
    .map(textOfEvent)
    .join('')

/**
 * Returns the events by which a response that is over would have been streamed, each text in one piece.
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
export function replayedEvents(response: JsonObject): readonly JsonObject[] {
  const initial = {
    ...response,
    status: 'in_progress',
    completed_at: null,
    error: null,
    incomplete_details: null,
    output: [],
    usage: null,
  }
  const events: readonly Unnumbered[] = [
    { type: 'response.created', response: initial },
    { type: 'response.in_progress', response: initial },
    ...outputItems(response).flatMap(eventsOfItem),
    { type: endOf(response), response },
  ]
  return events.map((event, index) => ({ ...event, sequence_number: index }))
}

const ends: ReadonlySet<string> = new Set(['incomplete', 'failed', 'cancelled'])
const endOf = ({ status }: JsonObject): string =>
  ends.has(textOf(status)) ? `response.${textOf(status)}` : 'response.completed'

function eventsOfItem(item: JsonObject, index: number): readonly Unnumbered[] {
  const place = { item_id: item['id'], output_index: index }
  const { started, between } = writtenBy(item, place)
  const status = 'status' in item ? { status: 'in_progress' } : {}
  return [
    { type: 'response.output_item.added', output_index: index, item: { ...item, ...status, ...started } },
    ...between,
    { type: 'response.output_item.done', output_index: index, item },
  ]
}

interface Written {
  /** Members of the item when it started. */
  readonly started: JsonObject
  readonly between: readonly Unnumbered[]
}

function writtenBy(item: JsonObject, place: JsonObject): Written {
  switch (item['type']) {
    case 'message':
      return { started: { content: [] }, between: objectsOf(item['content']).flatMap(partOf(place)) }
    case 'reasoning':
      return {
        started: { summary: [], ...('content' in item && { content: [] }) },
        between: [
          ...objectsOf(item['summary']).flatMap(sectionOf(place)),
          ...objectsOf(item['content']).flatMap(thoughtOf(place)),
        ],
      }
    case 'function_call':
      return textMember('response.function_call_arguments', 'arguments', item, place)
    case 'custom_tool_call':
      return textMember('response.custom_tool_call_input', 'input', item, place)
    default:
      return { started: {}, between: [] }
  }
}

function textMember(event: string, member: string, item: JsonObject, place: JsonObject): Written {
  const text = textOf(item[member])
  return { started: { [member]: '' }, between: textEvents(event, member, text, place) }
}

const textEvents = (
  event: string,
  member: string,
  text: string,
  place: JsonObject,
  more: JsonObject = {},
): readonly Unnumbered[] => [
  ...(text === '' ? [] : [{ type: `${event}.delta`, ...place, delta: text, ...more }]),
  { type: `${event}.done`, ...place, [member]: text, ...more },
]

const partOf =
  (ofItem: JsonObject) =>
  (part: JsonObject, index: number): readonly Unnumbered[] => {
    const place = { ...ofItem, content_index: index }
    const isRefusal = part['type'] === 'refusal'
    const started = isRefusal ? { ...part, refusal: '' } : { ...part, text: '', annotations: [] }
    const annotations = objectsOf(part['annotations'])
    return [
      { type: 'response.content_part.added', ...place, part: started },
      ...(isRefusal
        ? textEvents('response.refusal', 'refusal', textOf(part['refusal']), place)
        : textEvents('response.output_text', 'text', textOf(part['text']), place, {
            logprobs: part['logprobs'] ?? [],
          })),
      ...annotations.map((annotation, at) => ({
        type: 'response.output_text.annotation.added',
        ...place,
        annotation_index: at,
        annotation,
      })),
      { type: 'response.content_part.done', ...place, part },
    ]
  }

const sectionOf =
  (ofItem: JsonObject) =>
  (part: JsonObject, index: number): readonly Unnumbered[] => {
    const place = { ...ofItem, summary_index: index }
    return [
      { type: 'response.reasoning_summary_part.added', ...place, part: { ...part, text: '' } },
      ...textEvents('response.reasoning_summary_text', 'text', textOf(part['text']), place),
      { type: 'response.reasoning_summary_part.done', ...place, part },
    ]
  }

const thoughtOf =
  (ofItem: JsonObject) =>
  (part: JsonObject, index: number): readonly Unnumbered[] =>
    textEvents('response.reasoning_text', 'text', textOf(part['text']), { ...ofItem, content_index: index })
