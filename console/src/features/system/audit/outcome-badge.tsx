import { auditDone } from '@tollgate/contract'

import { StatusBadge } from '../../../components/status-badge'
import { useTranslation } from '../../../lib/text/i18n'

/** Outcome of an action; for a refusal, its code. */
export function OutcomeBadge({ outcome }: { readonly outcome: string }) {
  const { t } = useTranslation('audit')
  return outcome === auditDone ? (
    <StatusBadge tone="good">{t('outcome.done')}</StatusBadge>
  ) : (
    <StatusBadge tone="bad" reason={outcome}>
      {t('outcome.refused')}
    </StatusBadge>
  )
}
