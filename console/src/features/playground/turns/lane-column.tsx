import { ActionIcon } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { useEffect, type ReactNode, memo } from 'react'

import classes from './turns.module.css'
import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'
import { useSession } from '../hooks/chat-context'
import { useStickToEnd } from '../hooks/use-stick-to-end'
import { LaneHead } from '../lanes/lane-head'
import { versionsOf } from '../session/path'
import type { Lane, Turn } from '../session/session'
import { AnswerView } from './answer-view'
import { QuestionView } from './question-view'

interface LaneColumnProps {
  readonly lane: Lane
  /** The only model cannot be removed. */
  readonly isOnly: boolean
  readonly turns: readonly Turn[]
  /** Shown in an empty conversation. */
  readonly children?: ReactNode
}

/** The conversation with one model: the head is sticky, the turns below scroll by themselves. */
export function LaneColumn({ lane, isOnly, turns, children }: LaneColumnProps) {
  const { t } = useTranslation('playground')
  const session = useSession((whole) => whole)
  const { box, content, isAtEnd, toEnd } = useStickToEnd()

  // A new question scrolls to its response.
  const lastId = turns.at(-1)?.id
  useEffect(toEnd, [lastId, toEnd])

  return (
    <section className={classes.column} data-is-only={isOnly || undefined}>
      <LaneHead lane={lane} isOnly={isOnly} />
      <div
        className={classes.box}
        ref={box}
        role="log"
        aria-label={isOnly ? t('conversation') : t('conversationWith', { model: lane.model })}
        aria-live="off"
        tabIndex={0}
      >
        <div className={classes.content} ref={content}>
          {children}
          {turns.map((turn) => {
            const { ids, at } = versionsOf(session, turn)
            return <TurnView key={turn.id} turn={turn} laneId={lane.id} version={at} versions={ids.length} />
          })}
        </div>
      </div>
      {!isAtEnd && (
        <div className={classes.toEnd}>
          <Tip label={t('toEnd')}>
            <ActionIcon variant="default" radius="xl" size={34} aria-label={t('toEnd')} onClick={toEnd}>
              <IconArrowDown size={18} />
            </ActionIcon>
          </Tip>
        </div>
      )}
    </section>
  )
}

interface TurnViewProps {
  readonly turn: Turn
  readonly laneId: string
  /** Index among its versions. */
  readonly version: number
  readonly versions: number
}

/** A question with a model's response. Only a changed turn renders again. */
const TurnView = memo(function TurnView({ turn, laneId, version, versions }: TurnViewProps) {
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
