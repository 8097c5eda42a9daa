import { channelRoutes, channelStatus, pageIn } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'
import { MenuCount } from './menu-count'

const pollMs = 60_000

/** How many channels the gateway has disabled automatically. */
export function AutoDisabledBadge({ isDot }: { readonly isDot: boolean }) {
  const { t } = useTranslation('shell')
  const { data } = useRead(
    channelRoutes.searchChannels,
    { query: { status: channelStatus.autoDisabled, p: 1, page_size: 1 } },
    { select: pageIn, refetchInterval: pollMs },
  )
  const count = data?.total ?? 0
  return <MenuCount count={count} label={t('badge.autoDisabled', { count })} isDot={isDot} />
}
