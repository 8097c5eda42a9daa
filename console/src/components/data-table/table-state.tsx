import { Button } from '@mantine/core'
import { IconFilterOff, IconInbox } from '@tabler/icons-react'

import { useTranslation } from '../../lib/text/i18n'
import { ErrorState, StateMessage } from '../page/state-message'
import { usePlaceholder } from '../page/waiting'
import classes from './data-table.module.css'
import type { DataTableProps } from './types'
import type { TablePreferences } from './use-table-preferences'

interface TableStateProps<Row> extends DataTableProps<Row> {
  readonly preferences: TablePreferences
}

/** Shown instead of rows: loading, failed or empty. */
export function TableState<Row>(props: TableStateProps<Row>) {
  const { source, paging, empty, errorTitle, onClearFilters, preferences } = props
  const { t } = useTranslation()
  if (source.error) return <ErrorState error={source.error} title={errorTitle} onRetry={source.onRetry} />
  if (source.isPending) return <SkeletonRows count={Math.min(paging?.size ?? 10, 20)} density={preferences.density} />
  if (onClearFilters)
    return (
      <StateMessage
        icon={IconFilterOff}
        title={t('table.noMatch')}
        hint={t('table.noMatchHint')}
        action={
          <Button variant="default" onClick={onClearFilters}>
            {t('table.clearFilters')}
          </Button>
        }
      />
    )
  return <StateMessage icon={IconInbox} title={empty.title} hint={empty.hint} action={empty.action} />
}

/** Placeholder rows of the final height. Plain elements: they are drawn before everything else. */
export function SkeletonRows({ count, density }: { readonly count: number; readonly density: string }) {
  usePlaceholder()
  return (
    <div className={classes.skeleton} data-density={density} aria-busy>
      {Array.from({ length: count }, (_, index) => (
        <div key={index}>
          <span className={classes.bar} style={{ width: `${88 - ((index * 17) % 40)}%` }} />
        </div>
      ))}
    </div>
  )
}
