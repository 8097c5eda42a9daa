import { Title } from '@mantine/core'
import { userRoutes } from '@tollgate/contract'

import { Facts } from '../../components/facts'
import { Quiet } from '../../components/quiet'
import { Money } from '../../domain/money'
import { formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import { useUsage, useIdentities } from './user-data'
import { UserRole, UserStatus } from './user-cells'

type User = userRoutes.UserEntity
type KnownUser = userRoutes.KnownUser

function Section({ title, facts }: { readonly title: string } & Parameters<typeof Facts>[0]) {
  return (
    <section>
      <Title order={3} fz="md" mb="xs">
        {title}
      </Title>
      <Facts facts={facts} />
    </section>
  )
}

/** An account; of users of the reader's own rank and above only the name is known. */
export function Account({ user }: { readonly user: KnownUser }) {
  const { t } = useTranslation('users')
  const identities = useIdentities()
  const name = [
    [t('column.id'), String(user.id)],
    [t('field.displayName'), user.display_name],
  ] as const
  if (!userRoutes.isWhole(user)) return <Section title={t('panel.account')} facts={name} />
  return (
    <Section
      title={t('panel.account')}
      facts={[
        ...name,
        [t('column.status'), <UserStatus key="status" user={user} />],
        [t('column.role'), <UserRole key="role" user={user} />],
        [t('column.group'), user.group],
        [t('column.email'), user.email],
        [t('column.secondFactor'), t(user.has_second_factor ? 'secondFactor.set' : 'secondFactor.none')],
        ...identities.map((identity) => [identity.name, user[identity.field]] as const),
        [t('column.created'), formatTime(user.created_at)],
      ]}
    />
  )
}

const noUsage = { quota: 0, calls: 0, tokens: 0 }

export function Balance({ user }: { readonly user: User }) {
  const { t } = useTranslation('users')
  const { number } = useFormat()
  const usages = useUsage([user])
  const usage = usages && (usages.get(user.id) ?? noUsage)
  // Takes its line from the start, so that nothing below moves.
  const unknown = <Quiet>{'–'}</Quiet>
  return (
    <Section
      title={t('panel.balance')}
      facts={[
        [t('column.balance'), <Money key="balance" quota={user.quota} />],
        [t('column.used'), <Money key="used" quota={user.used_quota} />],
        [t('column.requests'), number(user.request_count)],
        [t('month.spent'), usage ? <Money key="spent" quota={usage.quota} /> : unknown],
        [t('month.requests'), usage ? number(usage.calls) : unknown],
        [t('month.tokens'), usage ? number(usage.tokens) : unknown],
      ]}
    />
  )
}

export function Invitations({ user }: { readonly user: User }) {
  const { t } = useTranslation('users')
  const { number } = useFormat()
  return (
    <Section
      title={t('panel.invitations')}
      facts={[
        [t('panel.invited'), number(user.aff_count)],
        [t('panel.earned'), <Money key="earned" quota={user.aff_history_quota} />],
        [t('panel.untransferred'), <Money key="left" quota={user.aff_quota} />],
        [t('column.inviter'), user.inviter_id > 0 && String(user.inviter_id)],
      ]}
    />
  )
}
