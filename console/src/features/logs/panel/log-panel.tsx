import { Skeleton, Stack } from '@mantine/core'
import type { ApiError } from '@tollgate/contract'

import { ErrorState } from '../../../components/page/error-state'
import { PeekPanel } from '../../../components/peek/peek-panel'
import { useTranslation } from '../../../lib/text/i18n'
import { Attempts } from './attempts'
import { CallActions } from './call-actions'
import { Conversation } from './conversation'
import { CostBreakdown } from './cost-breakdown'
import { Headline } from './headline'
import type { LogRow } from '../log-row'
import { isCall } from '../log-row'
import type { LogSearch } from '../log-search'
import { Overview } from './overview'

interface LogPanelProps {
  readonly row: LogRow | undefined
  /** More of it is loading. */
  readonly isPartial?: boolean
  readonly error: ApiError | null
  readonly retry: () => void
  readonly search: LogSearch
  readonly onFilter: (change: LogSearch) => void
  readonly onClose: () => void
  readonly onPrevious?: () => void
  readonly onNext?: () => void
}

/** All details of one row: what happened, its cost, and its route. */
export function LogPanel(props: LogPanelProps) {
  const { row, isPartial = false, error, retry, search, onFilter, onClose, onPrevious, onNext } = props
  const { t } = useTranslation('logs')
  return (
    <PeekPanel
      title={row?.model_name || t('panel.title')}
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      footer={row && isCall(row) && <CallActions row={row} isPartial={isPartial} />}
    >
      {error && <ErrorState error={error} onRetry={retry} isSmall />}
      {!row && !error && <Skeleton h={280} />}
      {row && (
        <Stack gap="lg">
          {isCall(row) && (
            <>
              <Headline row={row} />
              <Attempts row={row} />
              <CostBreakdown row={row} />
            </>
          )}
          <Overview row={row} search={search} onFilter={onFilter} />
          {isCall(row) && <Conversation row={row} />}
        </Stack>
      )}
    </PeekPanel>
  )
}
