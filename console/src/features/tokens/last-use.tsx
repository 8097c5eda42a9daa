import type { tokenRoutes } from '@tollgate/contract'

import { Facts } from '../../components/facts'
import { TimeAgo } from '../../components/time-ago'
import { useTranslation } from '../../lib/text/i18n'

/** Time and address of a token's last use. */
export function LastUse({ token }: { readonly token: tokenRoutes.TokenEntity }) {
  const { t } = useTranslation('tokens')
  const { accessed_time: at, last_ip: ip } = token
  return (
    <Facts
      facts={[
        [t('column.used'), at === 0 ? t('neverUsed') : <TimeAgo key="at" at={at} />],
        [t('column.ip'), at > 0 && (ip || t('ipNotRecorded'))],
      ]}
    />
  )
}
