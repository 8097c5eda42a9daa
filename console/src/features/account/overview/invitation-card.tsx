import { Button } from '@mantine/core'
import { invitationRoutes, type userRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { CopyField } from '../../../components/copy-button'
import { Facts } from '../../../components/facts'
import { Money } from '../../../domain/money'
import { StatLine } from '../../../components/stat/stat-line'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { useSite } from '../../../lib/api/status'
import { useFormat } from '../../../lib/text/use-format'
import { useServerAddress } from '../../../lib/url/use-server-address'
import { AccountSection } from '../account-section'
import classes from '../account.module.css'

const TransferDialog = lazy(async () => ({ default: (await import('./transfer-dialog')).TransferDialog }))

/** The invitation link, its earnings, and transferring them to the balance. */
export function InvitationCard({ user }: { readonly user: userRoutes.UserEntity }) {
  const { t } = useTranslation('account')
  const { number, money } = useFormat()
  const { aff_enabled: isOn, quota_per_unit: quotaPerUnit } = useSite()
  const address = useServerAddress()
  const { data: code } = useRead(invitationRoutes.invitationCode, {}, { enabled: isOn })
  const [isMoving, setMoving] = useState(false)
  const minQuota = Math.ceil(quotaPerUnit)
  const canMove = user.aff_quota >= minQuota
  return (
    <AccountSection
      title={t('invitation.title')}
      hint={t(canMove ? 'invitation.hint' : 'invitation.hintLeast', { least: money(minQuota) })}
      actions={
        <Button variant="default" size="sm" disabled={!canMove} onClick={() => setMoving(true)}>
          {t('invitation.transfer')}
        </Button>
      }
    >
      <li className={classes.figures}>
        <StatLine
          stats={[
            [t('invitation.count'), number(user.aff_count)],
            [t('invitation.earned'), <Money key="earned" quota={user.aff_quota} />],
            [t('invitation.total'), <Money key="total" quota={user.aff_history_quota} />],
          ]}
        />
      </li>
      {isOn && code !== undefined && (
        <li className={classes.facts}>
          <Facts
            facts={[
              [t('invitation.code'), <CopyField key="code" value={code} label={t('invitation.copyCode')} />],
              [
                t('invitation.link'),
                <CopyField
                  key="link"
                  value={`${address}/register?aff=${encodeURIComponent(code)}`}
                  label={t('invitation.copyLink')}
                />,
              ],
            ]}
          />
        </li>
      )}
      {isMoving && (
        <Suspense>
          <TransferDialog min={minQuota} max={user.aff_quota} onClose={() => setMoving(false)} />
        </Suspense>
      )}
    </AccountSection>
  )
}
