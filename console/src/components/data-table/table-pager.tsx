import { Group, Skeleton, Text } from '@mantine/core'
import { pageSizes } from '@tollgate/contract'

import { useTranslation } from '../../lib/i18n'
import { useFormat } from '../../lib/use-format'
import { ChoiceSelect } from '../choice-select'
import { PageSteps } from '../page-steps'
import classes from './data-table.module.css'
import type { Paging } from './types'

interface TablePagerProps {
  readonly paging: Paging
  /** How many there are is not known yet. */
  readonly isPending?: boolean
}

/** "Items 1 - 10 of 57", page size, and the way to other pages. A list with nothing in it has no pages. */
export function TablePager({ paging, isPending = false }: TablePagerProps) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const { page, size, total, onChange, isTotalCapped } = paging
  if (total === 0 && page === 1 && !isPending) return null
  const last = Math.max(1, Math.ceil(total / size))
  const range = {
    from: number(Math.min((page - 1) * size + 1, total)),
    to: number(Math.min(page * size, total)),
    total: number(total) + (isTotalCapped ? '+' : ''),
  }
  return (
    <Group className={classes.pager} justify="space-between" gap="sm">
      {isPending ? (
        <Skeleton h={12} w={130} />
      ) : (
        <Text size="sm" c="dimmed" className="figures">
          {t('table.range', range)}
        </Text>
      )}
      <Group gap={8} wrap="nowrap">
        <ChoiceSelect
          size="xs"
          w={{ base: 124, xs: 104 }}
          aria-label={t('table.pageSize')}
          choices={pageSizes.map((value) => ({ value: String(value), label: t('table.perPage', { count: value }) }))}
          value={String(size)}
          onChange={(chosen) => onChange(1, Number(chosen))}
        />
        <PageSteps
          page={page}
          last={isPending ? undefined : last}
          isOpenEnded={isTotalCapped}
          onChange={(next) => onChange(next, size)}
        />
      </Group>
    </Group>
  )
}
