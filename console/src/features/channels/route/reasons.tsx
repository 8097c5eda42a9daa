import type { channelRoutes } from '@tollgate/contract'

import { formatDuration } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import classes from './route.module.css'

/** Why a channel is not used, or only after others: a sentence for each reason. */
export function Reasons({ reasons }: { readonly reasons: readonly channelRoutes.RouteReason[] }) {
  const { t } = useTranslation('channels')
  if (reasons.length === 0) return null
  return (
    <ul className={classes.reasons}>
      {reasons.map(({ code, detail, seconds_left: seconds }) => (
        <li key={code}>
          {t(`reason.${code}`, { detail })}
          {seconds > 0 && ` · ${t('reason.again', { time: formatDuration(seconds * 1000) })}`}
          {code === 'auto_disabled' && detail !== '' && <span className={classes.detail}>{detail}</span>}
        </li>
      ))}
    </ul>
  )
}
