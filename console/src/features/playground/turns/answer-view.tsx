import { IconFileCode, IconRefresh, IconTrash } from '@tabler/icons-react'
import { memo } from 'react'

import { CopyButton } from '../../../components/copy-button'
import { ModelMark } from '../../../domain/model-mark'
import { useTranslation } from '../../../lib/text/i18n'
import { ImageStrip } from '../composer/image-strip'
import { useChat } from '../hooks/chat-context'
import { useInspect } from '../inspector/inspect-context'
import { isArriving, type Answer } from '../session/session'
import { thoughtOf } from '../session/thinking'
import { AnswerFacts } from './answer-facts'
import { AnswerFailure } from './answer-failure'
import { AnswerText } from './answer-text'
import { Reasoning } from './reasoning'
import { SmallAction } from './small-action'
import { ToolCalls } from './tool-calls'
import classes from './turns.module.css'

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
