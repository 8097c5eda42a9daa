import { Anchor } from '@mantine/core'
import type { ReactElement } from 'react'
import { Link } from '@tanstack/react-router'

import { CopyButton } from '../../../components/copy-button'
import { Tip } from '../../../components/tip'
import { formatDuration } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { tokensASecond } from '../session/cost'
import type { Answer } from '../session/session'
import classes from './turns.module.css'
import { useKnownChoices } from '../hooks/use-choices'

/** Duration, tokens, cost and request id of a response. */
export function AnswerFacts({ answer }: { readonly answer: Answer }) {
  const { t } = useTranslation('playground')
  const { number } = useFormat()
  const { usage, firstTokenMs, tookMs, requestId, logged, isStopped, finishReason } = answer
  const pace = tokensASecond(usage?.completionTokens ?? 0, firstTokenMs, tookMs)
  return (
    <div className={classes.facts}>
      {isStopped && <span>{t('fact.stopped')}</span>}
      {finishReason === 'length' && <span>{t('fact.length')}</span>}
      {tookMs !== undefined && fact(t('fact.took'), formatDuration(tookMs))}
      {firstTokenMs !== undefined &&
        fact(t('fact.firstTokenHint'), t('fact.firstToken', { duration: formatDuration(firstTokenMs) }))}
      {pace !== undefined && fact(t('fact.paceHint'), t('fact.pace', { pace: number(Math.round(pace)) }))}
      {usage &&
        fact(
          t('fact.tokensHint', {
            prompt: number(usage.promptTokens),
            cached: number(usage.cachedTokens),
            completion: number(usage.completionTokens),
            reasoning: number(usage.reasoningTokens),
          }),
          t('fact.tokens', { prompt: number(usage.promptTokens), completion: number(usage.completionTokens) }),
        )}
      <AnswerCost answer={answer} />
      {requestId && (
        <span className={classes.requestId}>
          <Anchor
            inherit
            renderRoot={(props) => (
              <Link to="/app/logs/api-usage" search={{ request: requestId, open: logged?.id }} {...props} />
            )}
          >
            {t('fact.request', { id: requestId })}
          </Anchor>
          <CopyButton text={requestId} label={t('fact.copyRequest')} size={24} />
        </span>
      )}
    </div>
  )
}

const fact = (hint: string, text: string): ReactElement => (
  <Tip label={hint}>
    <span className="figures">{text}</span>
  </Tip>
)

/** The charge of the call; until it is known, an estimate by the price list. */
export function AnswerCost({ answer }: { readonly answer: Answer }) {
  const { t } = useTranslation('playground')
  const { dollars, quotaInDollars } = useFormat()
  const estimate = useKnownChoices().costOf(answer)
  const { logged } = answer
  if (!logged && estimate === undefined) return null
  return (
    <Tip label={t(logged ? 'fact.chargedHint' : 'fact.costHint')}>
      <span className="figures">
        {logged ? quotaInDollars(logged.quota) : t('fact.cost', { cost: dollars(estimate ?? 0) })}
      </span>
    </Tip>
  )
}
