import { Modal, Skeleton } from '@mantine/core'
import { userRoutes } from '@tollgate/contract'

import { ErrorState } from '../../components/page/state-message'
import { Facts } from '../../components/facts'
import { FocusBack } from '../../components/focus-back'
import { Money } from '../../domain/money'
import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'
import { useFormat } from '../../lib/text/use-format'

interface UserCardProps {
  readonly id: number
  readonly onClose: () => void
}

/** The user who made a call, for administrators; only the name of their peers and superiors. */
export function UserCard({ id, onClose }: UserCardProps) {
  const { t } = useTranslation('logs')
  const { number } = useFormat()
  const { data, error, refetch } = useRead(userRoutes.getUser, { params: { id } })
  const accountFacts = (user: userRoutes.UserEntity) =>
    [
      [t('user.group'), user.group],
      [t('user.quota'), <Money key="quota" quota={user.quota} />],
      [t('user.used'), <Money key="used" quota={user.used_quota} />],
      [t('user.requests'), number(user.request_count)],
    ] as const
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('user.title')}
      size="sm"
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      {error && <ErrorState error={error} onRetry={() => void refetch()} isSmall />}
      {!data && !error && <Skeleton h={160} />}
      {data && (
        <Facts
          facts={[
            [t('user.id'), String(data.id)],
            [t('user.username'), data.username],
            [t('user.displayName'), data.display_name],
            ...(userRoutes.isWhole(data) ? accountFacts(data) : []),
          ]}
        />
      )}
    </Modal>
  )
}
