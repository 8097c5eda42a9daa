import { ActionIcon, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'

import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'

interface PageStepsProps {
  /** From 1. */
  readonly page: number
  readonly last: number
  /** There are more pages than `last`; the total is unknown. */
  readonly isOpenEnded?: boolean
  readonly onChange: (page: number) => void
}

/** "‹ 2 / 7 ›" */
export function PageSteps({ page, last, isOpenEnded = false, onChange }: PageStepsProps) {
  const { t } = useTranslation()
  const { number } = useFormat()
  return (
    <Group gap={8} wrap="nowrap">
      <ActionIcon aria-label={t('table.previous')} disabled={page <= 1} onClick={() => onChange(page - 1)}>
        <IconChevronLeft size={18} />
      </ActionIcon>
      <Text size="sm" className="figures" style={{ whiteSpace: 'nowrap' }}>
        {`${number(page)} / ${number(last)}${isOpenEnded ? '+' : ''}`}
      </Text>
      <ActionIcon
        aria-label={t('table.next')}
        disabled={page >= last && !isOpenEnded}
        onClick={() => onChange(page + 1)}
      >
        <IconChevronRight size={18} />
      </ActionIcon>
    </Group>
  )
}

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
