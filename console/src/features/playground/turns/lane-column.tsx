import { ActionIcon } from '@mantine/core'
import { memo, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { IconArrowDown } from '@tabler/icons-react'

import classes from './turns.module.css'
import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'
import { useSession } from '../hooks/chat-context'
import { LaneHead } from './lanes'
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

/** Within this distance the reader counts as being at the end. */
const nearPx = 48

/** Keeps a scroll container at its end while its content grows, unless the reader scrolled away. */
function useStickToEnd() {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isStuck = useRef(true)
  const [isAtEnd, setAtEnd] = useState(true)

  const toEnd = useCallback(() => {
    isStuck.current = true
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  }, [])

  useEffect(() => {
    const element = box.current
    if (!element || !content.current) return undefined
    const onScroll = () => {
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx
      isStuck.current = isNear
      setAtEnd(isNear)
    }
    const observer = new ResizeObserver(() => {
      if (isStuck.current) element.scrollTop = element.scrollHeight
      else onScroll()
    })
    observer.observe(content.current)
    // The container itself resizes with its surroundings.
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [])

  return { box, content, isAtEnd, toEnd }
}
