import { shownTurns } from './path'
import { isArriving, type Question, type Session, type Turn } from './session'
import { thoughtOf } from './thinking'
import type { Parameters } from './settings'

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string | readonly ContentPart[]
}

export interface ChatBody {
  readonly model: string
  readonly group: string
  readonly messages: readonly Message[]
  readonly stream: true
  readonly stream_options: { readonly include_usage: true }
  readonly [parameter: string]: unknown
}

/** What is asked of a model: the system prompt and the turns up to the question. */
export function messagesOf(turns: readonly Turn[], laneId: string, system: string): Message[] {
  const messages: Message[] = system.trim() === '' ? [] : [{ role: 'system', content: system }]
  for (const { question, answers } of turns) {
    if (question) messages.push({ role: 'user', content: contentOf(question) })
    const answer = answers[laneId]
    const text = answer && !isArriving(answer) ? thoughtOf(answer).text : ''
    if (text !== '') messages.push({ role: 'assistant', content: text })
  }
  return messages
}

/** A plain text where there are no images: every model understands that. */
function contentOf({ text, images }: Question): Message['content'] {
  if (images.length === 0) return text
  const parts: ContentPart[] = images.map((url) => ({ type: 'image_url', image_url: { url } }))
  return text === '' ? parts : [{ type: 'text', text }, ...parts]
}

/** Those that are on, as the body names them. */
export function parametersOf({ json, stop, ...numbers }: Parameters): Record<string, unknown> {
  const on = Object.entries(numbers).filter(([, { isOn }]) => isOn)
  return {
    ...Object.fromEntries(on.map(([name, { value }]) => [name, value])),
    ...(stop.isOn && stop.value.length > 0 && { stop: stop.value }),
    ...(json.isOn && { response_format: { type: 'json_object' } }),
  }
}

/** What the page itself knows beside the session. */
export interface Defaults {
  readonly group: string
  readonly system: string
}

/** The call for a lane. Without a turn: as the next question would go out, short of the question. */
export function bodyOf(session: Session, laneId: string, turn: Turn | undefined, defaults: Defaults): ChatBody {
  const shown = shownTurns(session)
  const until = turn ? shown.findIndex(({ id }) => id === turn.id) : shown.length
  const asked = turn ? [...shown.slice(0, until), { ...turn, answers: {} }] : shown
  const { group, system, parameters } = session.settings
  const lane = session.lanes.find(({ id }) => id === laneId)
  return {
    model: lane?.model ?? '',
    group: group || defaults.group,
    messages: messagesOf(asked, laneId, system ?? defaults.system),
    stream: true,
    stream_options: { include_usage: true },
    ...parametersOf(lane?.parameters ?? parameters),
  }
}
