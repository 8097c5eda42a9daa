import { auditDone } from '@tollgate/contract'

import { StatusBadge } from '../../components/status-badge'
import { useTranslation } from '../../lib/i18n'

/** How an act ended; of a refusal the code says why. */
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
