import { type Arrived, endAnswer, type Ending, grown } from './grow-answer'
import { lastTurn, turnsAfter } from './path'
import { type Answer, isArriving, type Lane, type Question, type Session, type Turn, type Usage } from './session'
import type { Settings } from './settings'

/** Facts about a response besides its text, as they become known. */
export interface Facts {
  readonly usage?: Usage
  readonly finishReason?: string
  readonly requestId?: string
  readonly logged?: Answer['logged']
}

export type Action =
  | { readonly kind: 'asked'; readonly turn: Turn }
  | { readonly kind: 'answer-started'; readonly turnId: string; readonly laneId: string; readonly answer: Answer }
  | { readonly kind: 'answer-grew'; readonly answerId: string; readonly arrived: Arrived; readonly atMs: number }
  | { readonly kind: 'answer-known'; readonly answerId: string; readonly facts: Facts }
  | { readonly kind: 'answer-ended'; readonly answerId: string; readonly ending: Ending }
  | { readonly kind: 'tool-answered'; readonly answerId: string; readonly callId: string; readonly result: string }
  | { readonly kind: 'question-deleted'; readonly turnId: string }
  | { readonly kind: 'answer-deleted'; readonly turnId: string; readonly laneId: string }
  | { readonly kind: 'version-chosen'; readonly turnId: string }
  | { readonly kind: 'lane-added'; readonly lane: Lane }
  | { readonly kind: 'lane-removed'; readonly laneId: string }
  | { readonly kind: 'lane-changed'; readonly laneId: string; readonly change: Partial<Omit<Lane, 'id'>> }
  | { readonly kind: 'settings-changed'; readonly change: Partial<Settings> }
  | { readonly kind: 'renamed'; readonly title: string }
  | { readonly kind: 'cleared' }

/** Returns the session after an action. Unchanged parts keep their identity, so that only changed turns render again. */
export function after(session: Session, action: Action): Session {
  switch (action.kind) {
    case 'asked':
      return chooseTurn({ ...session, turns: [...session.turns, action.turn] }, action.turn)
    case 'answer-started':
      return withTurn(session, action.turnId, (turn) => withAnswer(turn, action.laneId, action.answer))
    case 'answer-grew':
      return withAnswerChanged(session, action.answerId, (answer) => grown(answer, action.arrived, action.atMs))
    case 'answer-known':
      return withAnswerChanged(session, action.answerId, (answer) => ({ ...answer, ...action.facts }))
    case 'answer-ended':
      return withAnswerChanged(session, action.answerId, (answer) => endAnswer(answer, action.ending))
    case 'tool-answered':
      return withAnswerChanged(session, action.answerId, (answer) => ({
        ...answer,
        toolCalls: answer.toolCalls?.map((call) =>
          call.id === action.callId ? { ...call, result: action.result } : call,
        ),
      }))
    case 'question-deleted':
      return pruneTurn(
        withTurn(session, action.turnId, (turn) => ({ ...turn, question: null })),
        action.turnId,
      )
    case 'answer-deleted':
      return pruneTurn(
        withTurn(session, action.turnId, (turn) => withoutAnswer(turn, action.laneId)),
        action.turnId,
      )
    case 'version-chosen': {
      const turn = session.turns.find(({ id }) => id === action.turnId)
      return turn ? chooseTurn(session, turn) : session
    }
    case 'lane-added':
      return withLane(session, action.lane)
    case 'lane-removed':
      return withoutLane(session, action.laneId)
    case 'lane-changed':
      return {
        ...session,
        lanes: session.lanes.map((lane) => (lane.id === action.laneId ? { ...lane, ...action.change } : lane)),
      }
    case 'settings-changed':
      return { ...session, settings: { ...session.settings, ...action.change } }
    case 'renamed':
      return { ...session, title: action.title.trim() }
    case 'cleared':
      return { ...session, turns: [], chosen: {} }
    default:
      return action satisfies never
  }
}

/** Returns the turn for a question after the turns shown. */
export const nextTurn = (session: Session, id: string, question: Question): Turn => ({
  id,
  parent: lastTurn(session)?.id ?? null,
  question,
  answers: {},
})

const chooseTurn = (session: Session, { id, parent }: Turn): Session => ({
  ...session,
  chosen: { ...session.chosen, [parent ?? '']: id },
})

/** Adds a lane with the first one's history, so that it can continue the same conversation. */
function withLane(session: Session, lane: Lane): Session {
  const first = session.lanes[0]?.id ?? ''
  return {
    ...session,
    lanes: [...session.lanes, lane],
    turns: session.turns.map((turn) => {
      const answer = turn.answers[first]
      return answer && !isArriving(answer)
        ? withAnswer(turn, lane.id, { ...answer, id: `${answer.id}-${lane.id}` })
        : turn
    }),
  }
}

function withoutLane(session: Session, laneId: string): Session {
  if (session.lanes.length < 2) return session
  return {
    ...session,
    lanes: session.lanes.filter(({ id }) => id !== laneId),
    turns: session.turns.map((turn) => (turn.answers[laneId] ? withoutAnswer(turn, laneId) : turn)),
  }
}

function withTurn(session: Session, turnId: string, change: (turn: Turn) => Turn): Session {
  return { ...session, turns: session.turns.map((turn) => (turn.id === turnId ? change(turn) : turn)) }
}

const withAnswer = (turn: Turn, laneId: string, answer: Answer): Turn => ({
  ...turn,
  answers: { ...turn.answers, [laneId]: answer },
})

function withoutAnswer(turn: Turn, laneId: string): Turn {
  const { [laneId]: _gone, ...answers } = turn.answers
  return { ...turn, answers }
}

function withAnswerChanged(session: Session, answerId: string, change: (answer: Answer) => Answer): Session {
  for (const turn of session.turns)
    for (const [laneId, answer] of Object.entries(turn.answers))
      if (answer.id === answerId) return withTurn(session, turn.id, () => withAnswer(turn, laneId, change(answer)))
  return session
}

/** Removes a turn that has become empty; the turns after it are attached to the one before. */
function pruneTurn(session: Session, turnId: string): Session {
  const turn = session.turns.find(({ id }) => id === turnId)
  if (!turn || turn.question || Object.keys(turn.answers).length > 0) return session
  const followers = turnsAfter(session, turnId)
  const { [turnId]: shownAfter, ...rest } = session.chosen
  const key = turn.parent ?? ''
  const wasShown = rest[key] === turnId
  const successor = followers.find(({ id }) => id === shownAfter) ?? followers.at(-1)
  return {
    ...session,
    turns: session.turns
      .filter(({ id }) => id !== turnId)
      .map((other) => (other.parent === turnId ? { ...other, parent: turn.parent } : other)),
    chosen: wasShown && successor ? { ...rest, [key]: successor.id } : rest,
  }
}
