import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { useKnownChoices } from '../hooks/choices-context'
import type { Answer } from '../session/session'

/** The charge of the call; until it is known, an estimate by the price list. */
export function AnswerCost({ answer }: { readonly answer: Answer }) {
  const { t } = useTranslation('playground')
  const { dollars, quotaInDollars } = useFormat()
  const { costOf } = useKnownChoices()
  const estimate = costOf(answer)
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
