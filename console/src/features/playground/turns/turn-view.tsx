import { memo } from 'react'

import type { Turn } from '../session/session'
import { AnswerView } from './answer-view'
import { QuestionView } from './question-view'
import classes from './turns.module.css'

interface TurnViewProps {
  readonly turn: Turn
  readonly laneId: string
  /** Index among its versions. */
  readonly version: number
  readonly versions: number
}

/** A question with a model's response. Only a changed turn renders again. */
export const TurnView = memo(function TurnView({ turn, laneId, version, versions }: TurnViewProps) {
  const answer = turn.answers[laneId]
  return (
    <article className={classes.turn}>
      {(turn.question || versions > 1) && (
        <QuestionView turnId={turn.id} question={turn.question} version={version} versions={versions} />
      )}
      {answer && <AnswerView key={answer.id} turnId={turn.id} laneId={laneId} answer={answer} />}
    </article>
  )
})
