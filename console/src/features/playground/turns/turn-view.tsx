import { memo } from 'react'

import type { Lane, Turn } from '../session/session'
import { AnswerView } from './answer-view'
import { QuestionView } from './question-view'
import classes from './turns.module.css'

interface TurnViewProps {
  readonly turn: Turn
  readonly lanes: readonly Lane[]
  /** Which of its versions this is, counted from 0. */
  readonly version: number
  readonly versions: number
}

/** A question with its answers. Only a turn that changed is drawn anew. */
export const TurnView = memo(function TurnView({ turn, lanes, version, versions }: TurnViewProps) {
  return (
    <article className={classes.turn}>
      {(turn.question || versions > 1) && (
        <QuestionView turnId={turn.id} question={turn.question} version={version} versions={versions} />
      )}
      <div className={classes.answers}>
        {lanes.map(({ id }) => {
          const answer = turn.answers[id]
          return (
            <div key={id} className={classes.cell}>
              {answer && <AnswerView key={answer.id} turnId={turn.id} laneId={id} answer={answer} />}
            </div>
          )
        })}
      </div>
    </article>
  )
})
