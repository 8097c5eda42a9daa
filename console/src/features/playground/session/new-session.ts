import { newId } from './new-id'
import { type Answer, lanesOf, type Session, type Turn } from './session'
import type { Settings } from './settings'
import type { Draft, DraftContent } from '../../../lib/url/playground-draft'

interface NewSession {
  readonly userId: number
  readonly models: readonly string[]
  readonly settings: Settings
  /** Unix milliseconds. */
  readonly now: number
}

/** Returns an empty session. */
export function newSession({ userId, models, settings, now }: NewSession): Session {
  const lanes = lanesOf(models.length > 0 ? models : [''], newId)
  return { id: newId(), userId, title: '', createdAt: now, updatedAt: now, settings, lanes, turns: [], chosen: {} }
}

/** The specification's default model. */
const favouriteModel = 'gpt-4o-mini'

interface SessionOptions {
  /** Models used before, or the requested one. */
  readonly models: readonly string[]
  /** The reader requested the model, so that another group is better than another model. */
  readonly isNamed: boolean
  /** The group used before; empty for the reader's own. */
  readonly group: string
}

interface Usable {
  readonly models: readonly string[]
  readonly groups: Readonly<Record<string, unknown>>
  readonly ownGroup: string
  isServed(model: string, group: string): boolean
}

interface Start {
  readonly models: readonly string[]
  /** Empty: the reader's own. */
  readonly group: string
}

/**
 * Returns the initial models, all served by the group: the wanted ones, or else the default, or else the first. A requested or only model
 * is used in a group that serves it.
 */
export function startingPoint(request: SessionOptions, usable: Usable): Start {
  const group = usable.groups[request.group] ? request.group : ''
  const served = usable.models.filter((model) => usable.isServed(model, group || usable.ownGroup))
  const required = request.models.filter((model) => served.includes(model))
  if (required.length > 0) return { models: required, group }
  const named = request.isNamed ? request.models.find((model) => usable.models.includes(model)) : undefined
  if (named !== undefined) return elsewhere(named, usable)
  if (served.includes(favouriteModel)) return { models: [favouriteModel], group }
  const [first] = served
  if (first !== undefined) return { models: [first], group }
  const [any] = usable.models
  return any === undefined ? { models: [], group } : elsewhere(any, usable)
}

const elsewhere = (model: string, usable: Usable): Start => ({
  models: [model],
  group: Object.keys(usable.groups).find((name) => usable.isServed(model, name)) ?? '',
})

/** Returns the session with the draft's messages as its conversation. */
export function withDraft(session: Session, { messages, model }: Draft): Session {
  const lane = session.lanes[0]
  if (!lane) return session
  const isSystem = (role: string) => role === 'system' || role === 'developer'
  const system = messages.filter(({ role }) => isSystem(role)).map(({ content }) => textOf(content))
  const turns: Turn[] = []
  for (const { role, content } of messages) {
    if (isSystem(role)) continue
    const parent = turns.at(-1)
    if (role !== 'assistant') turns.push(turnAfter(parent, { text: textOf(content), images: imagesOf(content) }))
    else {
      const answered = parent && !parent.answers[lane.id] ? parent : turnAfter(parent, null)
      const answers = { [lane.id]: answerOf(textOf(content), model || lane.model, session.settings.group) }
      turns.splice(turns.indexOf(answered) < 0 ? turns.length : turns.indexOf(answered), 1, { ...answered, answers })
    }
  }
  return { ...session, turns, settings: { ...session.settings, system: system.join('\n\n') } }
}

const turnAfter = (parent: Turn | undefined, question: Turn['question']): Turn => ({
  id: newId(),
  parent: parent?.id ?? null,
  question,
  answers: {},
})

const answerOf = (content: string, model: string, group: string): Answer => ({
  id: newId(),
  model,
  group,
  status: 'complete',
  isStopped: false,
  content,
  reasoning: '',
  images: [],
})

function textOf(content: DraftContent): string {
  if (typeof content === 'string') return content
  return (content ?? [])
    .map(({ text }) => text ?? '')
    .filter(Boolean)
    .join('\n')
}

const imagesOf = (content: DraftContent): string[] =>
  typeof content === 'string' ? [] : (content ?? []).flatMap(({ image_url: image }) => (image ? [image.url] : []))
