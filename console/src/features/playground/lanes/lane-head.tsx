import { ActionIcon } from '@mantine/core'
import { IconPlayerStopFilled, IconX } from '@tabler/icons-react'

import classes from './lanes.module.css'
import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'
import { useChat, useIsArriving, useSession } from '../hooks/chat-context'
import { useKnownChoices } from '../hooks/choices-context'
import { ModelPrice } from '../model-price'
import { lastAnswer } from '../session/path'
import { type Lane, isArriving } from '../session/session'
import { ModelSelect } from './model-select'
import { formatDuration } from '../../../lib/text/format'
import { useFormat } from '../../../lib/text/use-format'
import { tokensASecond } from '../session/cost'
import { AnswerCost } from '../turns/answer-cost'

interface LaneHeadProps {
  readonly lane: Lane
  readonly isOnly: boolean
}

/** The model of a column with its price, and later the figures of its last response. */
export function LaneHead({ lane, isOnly }: LaneHeadProps) {
  const { t } = useTranslation('playground')
  const chat = useChat()
  const { ownGroup } = useKnownChoices()
  const group = useSession(({ settings }) => settings.group) || ownGroup
  const isArriving = useIsArriving(lane.id)
  const hasAnswer = useSession((session) => lastAnswer(session, lane.id) !== undefined)
  return (
    <header className={classes.head}>
      <div className={classes.headRow}>
        <ModelSelect
          model={lane.model}
          group={group}
          onChange={(model) => chat.dispatch({ kind: 'lane-changed', laneId: lane.id, change: { model } })}
        />
        {!isOnly && isArriving && (
          <Tip label={t('lane.stop', { model: lane.model })}>
            <ActionIcon aria-label={t('lane.stop', { model: lane.model })} onClick={() => chat.stop(lane.id)}>
              <IconPlayerStopFilled size={14} />
            </ActionIcon>
          </Tip>
        )}
        {!isOnly && (
          <Tip label={t('lane.remove', { model: lane.model })}>
            <ActionIcon aria-label={t('lane.remove', { model: lane.model })} onClick={() => chat.removeLane(lane.id)}>
              <IconX size={16} />
            </ActionIcon>
          </Tip>
        )}
      </div>
      {!hasAnswer && <ModelPrice model={lane.model} group={group} />}
      {!isOnly && <LaneFacts lane={lane} />}
    </header>
  )
}

/** Figures of a lane's last response, beside those of the others wherever each is scrolled to. */
function LaneFacts({ lane }: { readonly lane: Lane }) {
  const { t } = useTranslation('playground')
  const { number } = useFormat()
  const answer = useSession((session) => lastAnswer(session, lane.id))
  const { tookMs, firstTokenMs, usage } = answer ?? {}
  const pace = tokensASecond(usage?.completionTokens ?? 0, firstTokenMs, tookMs)
  return (
    <p className={`${classes.facts} figures`}>
      {lane.parameters && <span data-is-own>{t('lane.ownParameters')}</span>}
      {answer && isArriving(answer) && <span>{t('answer.loading')}</span>}
      {answer?.status === 'error' && <span data-is-bad>{t('fact.failed')}</span>}
      {tookMs !== undefined && <span>{formatDuration(tookMs)}</span>}
      {firstTokenMs !== undefined && <span>{t('fact.firstToken', { duration: formatDuration(firstTokenMs) })}</span>}
      {pace !== undefined && <span>{t('fact.pace', { pace: number(Math.round(pace)) })}</span>}
      {usage && (
        <span>
          {t('fact.tokens', { prompt: number(usage.promptTokens), completion: number(usage.completionTokens) })}
        </span>
      )}
      {answer && <AnswerCost answer={answer} />}
    </p>
  )
}
