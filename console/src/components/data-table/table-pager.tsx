import { ActionIcon, Group, NativeSelect, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { pageSizes } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

import { useFormat } from '../../lib/use-format'
import classes from './data-table.module.css'
import type { Paging } from './types'

/** "Items 1 - 10 of 57", page size, and the way to other pages. */
export function TablePager({ paging }: { readonly paging: Paging }) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const { page, size, total, onChange, isTotalCapped } = paging
  const last = Math.max(1, Math.ceil(total / size))
  const from = total === 0 ? 0 : (page - 1) * size + 1
  const range = {
    from: number(Math.min(from, total)),
    to: number(Math.min(page * size, total)),
    total: number(total) + (isTotalCapped ? '+' : ''),
  }
  return (
    <Group className={classes.pager} justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" className="figures">
        {t('table.range', range)}
      </Text>
      <Group gap={8} wrap="nowrap">
        <NativeSelect
          size="xs"
          w={104}
          aria-label={t('table.pageSize')}
          data={pageSizes.map((value) => ({ value: String(value), label: t('table.perPage', { count: value }) }))}
          value={String(size)}
          onChange={({ currentTarget }) => onChange(1, Number(currentTarget.value))}
        />
        <ActionIcon aria-label={t('table.previous')} disabled={page <= 1} onClick={() => onChange(page - 1, size)}>
          <IconChevronLeft size={18} />
        </ActionIcon>
        <Text size="sm" className="figures" style={{ whiteSpace: 'nowrap' }}>
          {`${number(page)} / ${number(last)}${isTotalCapped ? '+' : ''}`}
        </Text>
        <ActionIcon
          aria-label={t('table.next')}
          disabled={page >= last && !isTotalCapped}
          onClick={() => onChange(page + 1, size)}
        >
          <IconChevronRight size={18} />
        </ActionIcon>
      </Group>
    </Group>
  )
}
