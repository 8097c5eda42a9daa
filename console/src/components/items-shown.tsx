import { Text } from '@mantine/core'

import { useTranslation } from '../lib/text/i18n'
import { useFormat } from '../lib/text/use-format'

interface ItemsShownProps {
  /** From 1. */
  readonly page: number
  readonly size: number
  readonly total: number
  /** There are more; the total is unknown. */
  readonly isTotalCapped?: boolean
}

/** "Items 1 - 10 of 57" */
export function ItemsShown({ page, size, total, isTotalCapped = false }: ItemsShownProps) {
  const { t } = useTranslation()
  const { number } = useFormat()
  return (
    <Text size="sm" c="dimmed" className="figures">
      {t('table.range', {
        from: number(Math.min((page - 1) * size + 1, total)),
        to: number(Math.min(page * size, total)),
        total: number(total) + (isTotalCapped ? '+' : ''),
      })}
    </Text>
  )
}
