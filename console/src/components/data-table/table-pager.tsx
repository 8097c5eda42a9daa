import { Group } from '@mantine/core'
import { pageSizes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { ChoiceSelect } from '../fields/choice-select'
import { ItemsShown, PageSteps } from '../page/page-steps'
import classes from './data-table.module.css'
import type { Paging } from './types'

/** "Items 1 - 10 of 57", page size, and page navigation. An empty list has no pages. */
export function TablePager({ paging }: { readonly paging: Paging }) {
  const { t } = useTranslation()
  const { page, size, total, onChange, isTotalCapped } = paging
  if (total === 0 && page === 1) return null
  const last = Math.max(1, Math.ceil(total / size))
  return (
    <Group className={classes.pager} justify="space-between" gap="sm">
      <ItemsShown page={page} size={size} total={total} isTotalCapped={isTotalCapped} />
      <Group gap={8} wrap="nowrap">
        <ChoiceSelect
          size="xs"
          w={{ base: 124, xs: 104 }}
          aria-label={t('table.pageSize')}
          choices={pageSizes.map((value) => ({ value: String(value), label: t('table.perPage', { count: value }) }))}
          value={String(size)}
          onChange={(chosen) => onChange(1, Number(chosen))}
        />
        <PageSteps page={page} last={last} isOpenEnded={isTotalCapped} onChange={(next) => onChange(next, size)} />
      </Group>
    </Group>
  )
}
