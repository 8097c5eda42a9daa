import { Button } from '@mantine/core'
import { checkInRoutes, accountRoutes } from '@tollgate/contract'

import { useBotCheck } from '../../../domain/bot-check/use-bot-check'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useRead, useWrite } from '../../../lib/api/query'
import { useFormat } from '../../../lib/text/use-format'
import { AccountSection } from '../account-section'
import classes from '../account.module.css'

/** Free quota for checking in once a day. */
export function CheckInCard() {
  const { t } = useTranslation('account')
  const { money } = useFormat()
  const check = useBotCheck('check-in')
  const { data } = useRead(checkInRoutes.checkInStatus, {})
  const { mutate, isPending } = useWrite(checkInRoutes.checkIn, {
    changes: [checkInRoutes.checkInStatus, accountRoutes.getSelf],
    onSuccess: ({ quota }) => notifySuccess(t('checkIn.done', { quota: money(quota) })),
  })
  const canCheckIn = data?.can_check_in ?? false
  const { widget, query, mayGoOn, renew } = check
  return (
    <AccountSection
      title={t('checkIn.title')}
      hint={
        data &&
        t(data.min_quota === data.max_quota ? 'checkIn.hint' : 'checkIn.hintRange', {
          quota: money(data.min_quota),
          most: money(data.max_quota),
          zone: data.time_zone,
        })
      }
      actions={
        <Button
          size="sm"
          disabled={!canCheckIn}
          loading={isPending}
          onClick={() => mayGoOn() && mutate({ query }, { onSettled: renew })}
        >
          {t(data && !canCheckIn ? 'checkIn.already' : 'checkIn.action')}
        </Button>
      }
    >
      {canCheckIn && widget && <li className={classes.row}>{widget}</li>}
    </AccountSection>
  )
}
