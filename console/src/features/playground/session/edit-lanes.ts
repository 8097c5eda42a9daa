import { withAnswer, withoutAnswer } from './edit-turns'
import { isArriving, type Lane, type Session } from './session'

/** Adds a lane with the first one's history, so that it can continue the same conversation. */
export function withLane(session: Session, lane: Lane): Session {
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

export function withoutLane(session: Session, laneId: string): Session {
  if (session.lanes.length < 2) return session
  return {
    ...session,
    lanes: session.lanes.filter(({ id }) => id !== laneId),
    turns: session.turns.map((turn) => (turn.answers[laneId] ? withoutAnswer(turn, laneId) : turn)),
  }
}
