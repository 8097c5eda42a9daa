import { Skeleton, Stack, Text } from '@mantine/core'
import { redemptionRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { ErrorState } from '../../components/page/state-message'
import { Facts } from '../../components/facts'
import { PageSteps } from '../../components/page/page-steps'
import { PeekPanel } from '../../components/peek/peek-panel'
import { formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'
import { RedemptionCodeQuota, RedemptionCodeUses, RedemptionCodeWindow } from './redemption-code-cells'
import type { RedemptionCode } from './redemption-code-data'

interface RedemptionCodePanelProps {
  readonly id: number
  /** From the current page, if it is there. */
  readonly code: RedemptionCode | undefined
  readonly onPrevious?: () => void
  readonly onNext?: () => void
  readonly onClose: () => void
}

const pageSize = 20

/** A code and its redemptions. */
export function RedemptionCodePanel({ id, code, onPrevious, onNext, onClose }: RedemptionCodePanelProps) {
  const { t } = useTranslation('redemption-codes')
  return (
    <PeekPanel title={code?.name ?? t('uses.title')} onClose={onClose} onPrevious={onPrevious} onNext={onNext}>
      <Stack gap="lg">
        {code && (
          <Facts
            facts={[
              [t('column.id'), code.id],
              [t('column.quota'), <RedemptionCodeQuota key="quota" code={code} />],
              [t('column.uses'), <RedemptionCodeUses key="uses" code={code} />],
              [t('column.window'), <RedemptionCodeWindow key="window" code={code} />],
              [t('column.created'), formatTime(code.created_time)],
            ]}
          />
        )}
        <Uses key={id} id={id} />
      </Stack>
    </PeekPanel>
  )
}

function Uses({ id }: { readonly id: number }) {
  const { t } = useTranslation('redemption-codes')
  const [page, setPage] = useState(1)
  const uses = useRead(redemptionRoutes.listRedemptionUses, {
    params: { id },
    query: { p: page - 1, page_size: pageSize },
  })
  if (uses.error) return <ErrorState error={uses.error} onRetry={() => void uses.refetch()} isSmall />
  if (!uses.data) return <Skeleton h={120} />
  const { items, total } = uses.data
  if (total === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('uses.none')}
      </Text>
    )
  return (
    <Stack gap="sm">
      <Facts facts={items.map(({ username, used_at: at }) => [username, formatTime(at)])} />
      {total > pageSize && <PageSteps page={page} last={Math.ceil(total / pageSize)} onChange={setPage} />}
    </Stack>
  )
}
