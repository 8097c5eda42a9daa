import { Button, Text } from '@mantine/core'
import { invitationRoutes, type userRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { CopyField } from '../../../components/copy-button'
import { Facts } from '../../../components/facts'
import { Money } from '../../../domain/money'
import { StatLine } from '../../../components/stat/stat-line'
import { formatTime } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { useSite } from '../../../lib/api/status'
import { useFormat } from '../../../lib/text/use-format'
import { useServerAddress } from '../../../lib/url/use-server-address'
import { AccountSection } from '../account-section'
import classes from '../account.module.css'

const TransferDialog = lazy(async () => ({ default: (await import('./transfer-dialog')).TransferDialog }))

/** What top-ups of invited users bring: the terms, and what is to come and has come. Absent where they bring nothing. */
function Commissions() {
  const { t } = useTranslation('account')
  const { number } = useFormat()
  const { data } = useRead(invitationRoutes.commissions, {})
  if (!data || (data.rate === 0 && data.pending === 0 && data.settled === 0)) return null
  const { rate, days, delay_days: delay, pending, next_at: nextAt, settled } = data
  return (
    <li className={classes.figures}>
      <StatLine
        stats={[
          [t('invitation.commission'), rate === 0 ? '–' : `${number(rate)}%`],
          [t('invitation.pending'), <Money key="pending" quota={pending} />],
          [t('invitation.settled'), <Money key="settled" quota={settled} />],
        ]}
      />
      <Text size="sm" c="dimmed" mt={4}>
        {rate > 0 && t(termsOf(days, delay), { rate: number(rate), days, count: delay })}
        {pending > 0 && nextAt !== null && ` ${t('invitation.next', { time: formatTime(nextAt) })}`}
      </Text>
    </li>
  )
}

/** Returns the sentence for these days: how long after a registration, and how long after a top-up. */
function termsOf(days: number, delay: number) {
  if (delay === 0) return days > 0 ? 'invitation.termsForAtOnce' : 'invitation.termsAtOnce'
  return days > 0 ? 'invitation.termsFor' : 'invitation.terms'
}

/** The invitation link, its earnings, and transferring them to the balance. */
export function InvitationCard({ user }: { readonly user: userRoutes.UserEntity }) {
  const { t } = useTranslation('account')
  const { number, money } = useFormat()
  const { aff_enabled: isRewarded, invitation_required: isRequired, quota_per_unit: quotaPerUnit } = useSite()
  const isOn = isRewarded || isRequired
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
      <Commissions />
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
