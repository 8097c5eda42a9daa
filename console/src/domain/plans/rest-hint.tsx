import { Text } from '@mantine/core'
import type { planRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'

/** How what is left of a term was found, where a limit of its plan counts beside the time. */
export function RestHint({ rest }: { readonly rest: planRoutes.TermRest }) {
  const { t } = useTranslation('plan')
  const { money } = useFormat()
  const { rest_by_time: time, rest_by_use: byUse } = rest
  if (!byUse) return null
  return (
    <Text size="sm" c="dimmed">
      {t('restHint', { time: money(time), limit: byUse.limit, use: money(byUse.rest) })}
    </Text>
  )
}
