import type { Draft, DraftContent } from '../../../lib/url/playground-draft'
import { newId } from './new-id'
import type { Answer, Session, Turn } from './session'

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
