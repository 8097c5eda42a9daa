import { formatDuration } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { useSession } from '../hooks/chat-context'
import { tokensASecond } from '../session/cost'
import { lastAnswer } from '../session/path'
import { isArriving, type Lane } from '../session/session'
import { AnswerCost } from '../turns/answer-cost'
import classes from './lanes.module.css'

/** Figures of a lane's last response, beside those of the others wherever each is scrolled to. */
export function LaneFacts({ lane }: { readonly lane: Lane }) {
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
