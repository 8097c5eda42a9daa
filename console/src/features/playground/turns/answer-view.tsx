import { Collapse, UnstyledButton } from '@mantine/core'
import { memo, useEffect, useId, useMemo, useRef, useState } from 'react'
import { IconBulb, IconChevronRight, IconFileCode, IconRefresh, IconTrash } from '@tabler/icons-react'

import classes from './turns.module.css'
import { CopyButton } from '../../../components/copy-button'
import { ModelMark } from '../../../domain/model-mark'
import { useTranslation } from '../../../lib/text/i18n'
import { ImageStrip } from '../composer/images'
import { useChat, useInspect } from '../hooks/chat-context'
import { type Answer, isArriving } from '../session/session'
import { thoughtOf } from '../session/thinking'
import { AnswerFacts } from './answer-facts'
import { AnswerFailure } from './answer-failure'
import { SmallAction } from './turn-actions'
import { ToolCalls } from './tool-calls'
import { Markdown } from '../../../components/texts/markdown'
import { markdownBlocks } from './markdown-blocks'
import { formatDuration } from '../../../lib/text/format'

interface AnswerViewProps {
  readonly turnId: string
  readonly laneId: string
  readonly answer: Answer
}

/** A response as it arrives, with its figures. */
export const AnswerView = memo(function AnswerView({ turnId, laneId, answer }: AnswerViewProps) {
  const { t } = useTranslation('playground')
  const chat = useChat()
  const inspect = useInspect()
  const isGrowing = isArriving(answer)
  const { reasoning, text } = thoughtOf(answer)
  const sendResults = () => chat.sendResults(turnId, laneId)
  const retry = () => chat.retry(turnId, laneId)
  return (
    <div className={classes.answer} data-status={answer.status} aria-busy={isGrowing}>
      <div className={classes.model} title={answer.model}>
        <ModelMark model={answer.model} />
        {answer.model}
      </div>
      {reasoning && <Reasoning answer={answer} text={reasoning} />}
      <AnswerText text={text} isGrowing={isGrowing} />
      <ImageStrip images={answer.images} isLarge />
      {answer.toolCalls && (
        <ToolCalls answerId={answer.id} calls={answer.toolCalls} isGrowing={isGrowing} onSend={sendResults} />
      )}
      {isGrowing && !text && !answer.toolCalls && (
        <span className={classes.waiting}>{t(reasoning ? 'answer.thinking' : 'answer.loading')}</span>
      )}
      {answer.failure && <AnswerFailure failure={answer.failure} model={answer.model} onRetry={retry} />}
      {!isGrowing && (
        <div className={classes.foot}>
          <AnswerFacts answer={answer} />
          <div className={classes.actions}>
            {text && <CopyButton text={text} label={t('answer.copy')} size={24} />}
            <SmallAction label={t('answer.retry')} icon={IconRefresh} onClick={retry} />
            <SmallAction
              label={t('inspect.raw')}
              icon={IconFileCode}
              onClick={() => inspect({ answerId: answer.id })}
            />
            <SmallAction
              label={t('answer.delete')}
              icon={IconTrash}
              onClick={() => chat.dispatch({ kind: 'answer-deleted', turnId, laneId })}
            />
          </div>
        </div>
      )}
    </div>
  )
})

interface AnswerTextProps {
  readonly text: string
  readonly isGrowing: boolean
}

/** A growing response, rendered at a readable rate; only the end of a long one renders again. */
function AnswerText({ text, isGrowing }: AnswerTextProps) {
  const shown = useThrottled(text, isGrowing)
  const blocks = useMemo(() => markdownBlocks(shown), [shown])
  if (!shown) return null
  return (
    <div className={classes.text}>
      {blocks.map((block, index) => (
        // Blocks are only appended.
        <Markdown key={index} text={block} />
      ))}
    </div>
  )
}

const minPauseMs = 60
const maxPauseMs = 200
const charactersAMs = 150

/** Minimum pause between renders: longer texts take longer. */
const pauseFor = (length: number): number => Math.min(maxPauseMs, Math.max(minPauseMs, length / charactersAMs))

/** Throttles a growing text to a rate at which it can be rendered; a complete one is returned at once. */
function useThrottled(text: string, isGrowing: boolean): string {
  const [shown, setShown] = useState(text)
  const latest = useRef(text)
  latest.current = text
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (!isGrowing || timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      setShown(latest.current)
    }, pauseFor(text.length))
  }, [text, isGrowing])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return isGrowing ? shown : text
}

interface ReasoningProps {
  readonly answer: Answer
  readonly text: string
}

const minThinkingMs = 50

/** The reasoning of a model: collapsed, with its duration. */
function Reasoning({ answer, text }: ReasoningProps) {
  const { t } = useTranslation('playground')
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { thoughtFromMs: from, thoughtToMs: to } = answer
  const isThinking = isArriving(answer) && to === undefined
  const tookMs = from !== undefined && to !== undefined ? to - from : 0
  // Reasoning that arrived together with the response has no meaningful duration.
  const took = tookMs >= minThinkingMs ? formatDuration(tookMs) : undefined
  return (
    <div className={classes.reasoning}>
      <UnstyledButton
        className={classes.reasoningHead}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <IconBulb size={14} />
        {isThinking ? t('reasoning.now') : took ? t('reasoning.took', { duration: took }) : t('reasoning.title')}
        <IconChevronRight size={14} className={classes.chevron} data-is-open={isOpen || undefined} />
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && <div className={classes.reasoningText}>{text}</div>}
      </Collapse>
    </div>
  )
}
