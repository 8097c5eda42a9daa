import { shownTurns } from './path'
import { isArriving, type Answer, type Question, type Session, type Turn } from './session'
import { structureOf } from './structured'
import { thoughtOf } from './thinking'
import type { Parameters } from './settings'

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

interface CalledTool {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string | readonly ContentPart[] }
  | { readonly role: 'assistant'; readonly content: string; readonly tool_calls?: readonly CalledTool[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

export interface ChatBody {
  readonly model: string
  readonly group: string
  readonly messages: readonly Message[]
  readonly stream: true
  readonly stream_options: { readonly include_usage: true }
  readonly [parameter: string]: unknown
}

/** Returns the messages for a model: the system prompt and the turns up to the question. */
export function messagesOf(turns: readonly Turn[], laneId: string, system: string): Message[] {
  const messages: Message[] = system.trim() === '' ? [] : [{ role: 'system', content: system }]
  for (const { question, answers } of turns) {
    if (question) messages.push({ role: 'user', content: contentOf(question) })
    const answer = answers[laneId]
    if (answer && !isArriving(answer)) messages.push(...answerMessages(answer))
  }
  return messages
}

/** Returns what a model said, and the results of its tool calls. A call without a result would be refused, so it is left out. */
function answerMessages(answer: Answer): Message[] {
  const { text } = thoughtOf(answer)
  const answered = (answer.toolCalls ?? []).flatMap(({ result, ...call }) =>
    result === undefined ? [] : [{ ...call, result }],
  )
  if (text === '' && answered.length === 0) return []
  const calls = answered.map(({ id, name, input }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: input },
  }))
  return [
    { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls }) },
    ...answered.map(({ id, result }) => ({ role: 'tool' as const, tool_call_id: id, content: result })),
  ]
}

/** Returns plain text where there are no images: every model supports that. */
function contentOf({ text, images }: Question): string | readonly ContentPart[] {
  if (images.length === 0) return text
  const parts: ContentPart[] = images.map((url) => ({ type: 'image_url', image_url: { url } }))
  return text === '' ? parts : [{ type: 'text', text }, ...parts]
}

/** Returns the enabled parameters by their names in the body. */
export function parametersOf({ json, schema, tools, stop, ...numbers }: Parameters): Record<string, unknown> {
  const on = Object.entries(numbers).filter(([, { isOn }]) => isOn)
  return {
    ...Object.fromEntries(on.map(([name, { value }]) => [name, value])),
    ...(stop.isOn && stop.value.length > 0 && { stop: stop.value }),
    ...structureOf({ json, schema, tools }),
  }
}

/** Defaults known to the page. */
export interface Defaults {
  readonly group: string
  readonly system: string
}

/** Returns the call for a lane. Without a turn: the next call, without its question. */
export function bodyOf(session: Session, laneId: string, turn: Turn | undefined, defaults: Defaults): ChatBody {
  const shown = shownTurns(session)
  const until = turn ? shown.findIndex(({ id }) => id === turn.id) : shown.length
  const requested = turn ? [...shown.slice(0, until), { ...turn, answers: {} }] : shown
  const { group, system, parameters } = session.settings
  const lane = session.lanes.find(({ id }) => id === laneId)
  return {
    model: lane?.model ?? '',
    group: group || defaults.group,
    messages: messagesOf(requested, laneId, system ?? defaults.system),
    stream: true,
    stream_options: { include_usage: true },
    ...parametersOf(lane?.parameters ?? parameters),
  }
}
