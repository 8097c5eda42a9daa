import { ActionIcon } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { MenuButton } from '../../../components/menu-button'
import { useTranslation } from '../../../lib/text/i18n'
import { useFilterItems } from '../table/cell-menu'
import type { LogSearch } from '../log-search'
import classes from '../logs.module.css'
import type { RowValue } from '../table/row-values'

interface FilteredFactProps {
  readonly value: RowValue
  readonly shown: ReactNode
  readonly search: LogSearch
  readonly onFilter: (change: LogSearch) => void
}

/** A value of the open row, linked to the log filtered by it. */
export function FilteredFact({ value, shown, search, onFilter }: FilteredFactProps) {
  const { t } = useTranslation('logs')
  const items = useFilterItems(search, onFilter)
  const label = t('cell.filterBy', { name: t(`filter.${value.name}`) })
  return (
    <span className={classes.filteredFact}>
      {shown}
      <MenuButton
        label={label}
        items={items(value)}
        trigger={(props) => (
          <ActionIcon size={22} aria-label={label} {...props}>
            <IconFilter size={13} />
          </ActionIcon>
        )}
      />
    </span>
  )
}
