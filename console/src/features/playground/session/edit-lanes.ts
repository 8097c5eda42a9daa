import { withAnswer, withoutAnswer } from './edit-turns'
import { isArriving, type Lane, type Session } from './session'

/** A new lane starts from what the first one has been told, so that it can go on with the same talk. */
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
