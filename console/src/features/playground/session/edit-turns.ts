import { turnsAfter } from './path'
import type { Answer, Session, Turn } from './session'

export function withTurn(session: Session, turnId: string, change: (turn: Turn) => Turn): Session {
  return { ...session, turns: session.turns.map((turn) => (turn.id === turnId ? change(turn) : turn)) }
}

export const withAnswer = (turn: Turn, laneId: string, answer: Answer): Turn => ({
  ...turn,
  answers: { ...turn.answers, [laneId]: answer },
})

export function withoutAnswer(turn: Turn, laneId: string): Turn {
  const { [laneId]: _gone, ...answers } = turn.answers
  return { ...turn, answers }
}

export function withAnswerChanged(session: Session, answerId: string, change: (answer: Answer) => Answer): Session {
  for (const turn of session.turns)
    for (const [laneId, answer] of Object.entries(turn.answers))
      if (answer.id === answerId) return withTurn(session, turn.id, () => withAnswer(turn, laneId, change(answer)))
  return session
}

/** Removes a turn that has become empty; the turns after it are attached to the one before. */
export function pruneTurn(session: Session, turnId: string): Session {
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
