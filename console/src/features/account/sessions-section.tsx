import { deviceName, sessionRoutes } from '@tollgate/contract'

import { ConfirmButton } from '../../components/dialogs/confirm-button'
import { StatusBadge } from '../../components/status-badge'
import { TimeAgo } from '../../components/time-ago'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useRead, useWrite } from '../../lib/api/query'
import { AccountSection, MeRow, ReadState } from './account-section'

const changes = [sessionRoutes.listSessions]

/** Active sessions of the reader, and signing them out. */
export function SessionsSection() {
  const { t } = useTranslation('account')
  const read = useRead(sessionRoutes.listSessions, {})
  const { data } = read
  const endOthers = useWrite(sessionRoutes.endOtherSessions, {
    changes,
    onSuccess: (count) => notifySuccess(t('sessions.endedOthers', { count })),
  })
  const hasOthers = data?.some(({ is_current: isCurrent }) => !isCurrent)
  return (
    <AccountSection
      title={t('sessions.title')}
      hint={t('sessions.hint')}
      actions={
        hasOthers && (
          <ConfirmButton
            size="sm"
            title={t('sessions.endOthersTitle')}
            question={t('sessions.endOthersQuestion')}
            confirmText={t('sessions.endOthers')}
            loading={endOthers.isPending}
            onConfirm={() => endOthers.mutate({})}
          >
            {t('sessions.endOthers')}
          </ConfirmButton>
        )
      }
    >
      {data?.map((session) => <SessionRow key={session.id} session={session} />) ?? (
        <li>
          <ReadState read={read} />
        </li>
      )}
    </AccountSection>
  )
}

function SessionRow({ session }: { readonly session: sessionRoutes.SessionEntity }) {
  const { id, ip, user_agent: userAgent, last_seen_at: seenAt, is_current: isCurrent } = session
  const { t } = useTranslation('account')
  const name = deviceName(userAgent) || t('sessions.unknown')
  const end = useWrite(sessionRoutes.endSession, {
    changes,
    onSuccess: () => notifySuccess(t('sessions.ended')),
  })
  return (
    <MeRow
      name={
        <>
          <span title={userAgent}>{name}</span>
          {isCurrent && <StatusBadge tone="accent">{t('sessions.current')}</StatusBadge>}
        </>
      }
      details={
        <>
          {ip && `${ip} · `}
          {t('sessions.seen')} <TimeAgo at={seenAt} />
        </>
      }
      actions={
        !isCurrent && (
          <ConfirmButton
            size="xs"
            title={t('sessions.endTitle')}
            question={t('sessions.endQuestion', { name })}
            confirmText={t('sessions.end')}
            loading={end.isPending}
            onConfirm={() => end.mutate({ params: { id } })}
          >
            {t('sessions.end')}
          </ConfirmButton>
        )
      }
    />
  )
}
