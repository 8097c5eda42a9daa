import type { Answer, Session, Turn } from '../session/session'
import { defaultSettings } from '../session/settings'

/** Parts of a conversation, for tests. */
export const anAnswer = (fields: Partial<Answer> = {}): Answer => ({
  id: 'a1',
  model: 'kite-1',
  group: 'default',
  status: 'complete',
  isStopped: false,
  content: 'An answer',
  reasoning: '',
  images: [],
  ...fields,
})

export const aTurn = (fields: Partial<Turn> = {}): Turn => ({
  id: 't1',
  parent: null,
  question: { text: 'A question', images: [] },
  answers: { l1: anAnswer() },
  ...fields,
})

export const aSession = (fields: Partial<Session> = {}): Session => ({
  id: 's1',
  userId: 1,
  title: '',
  createdAt: 1_700_000_000_000,
  updatedAt: 1_700_000_000_000,
  settings: defaultSettings,
  lanes: [{ id: 'l1', model: 'kite-1' }],
  turns: [],
  chosen: {},
  ...fields,
})

/** Consecutive turns: `[id, question, answer]`. */
export const aConversation = (...turns: readonly (readonly [string, string, string])[]): Turn[] =>
  turns.map(([id, text, content], index) => ({
    id,
    parent: turns[index - 1]?.[0] ?? null,
    question: { text, images: [] },
    answers: { l1: anAnswer({ id: `answer-${id}`, content }) },
  }))
