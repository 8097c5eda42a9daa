import { Button, Group, Paper, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { role, type userRoutes } from '@tollgate/contract'

import { CopyButton } from '../../../components/copy-button'
import { Facts } from '../../../components/facts'
import { Money } from '../../../domain/money'
import { StatLine } from '../../../components/stat/stat-line'
import { StatusBadge } from '../../../components/status-badge'
import { formatTime } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import classes from '../account.module.css'

/** The reader's account and balance. */
export function AccountCard({ user }: { readonly user: userRoutes.UserEntity }) {
  const { t } = useTranslation('account')
  const { number } = useFormat()
  const isAdmin = user.role >= role.admin
  const name = user.display_name || user.username
  return (
    <Paper component="section" aria-label={t('account.title')} className={classes.section}>
      <div className={classes.row}>
        <Group gap="md" wrap="nowrap" className={classes.words}>
          <span className={classes.avatar} aria-hidden>
            {name.slice(0, 1).toUpperCase()}
          </span>
          <div>
            <Group gap={8}>
              <Text fw={600} fz="lg">
                {name}
              </Text>
              <StatusBadge tone={isAdmin ? 'accent' : 'neutral'}>
                {t(isAdmin ? 'account.admin' : 'account.user')}
              </StatusBadge>
            </Group>
            <Text size="sm" c="dimmed">
              {user.username}
            </Text>
          </div>
        </Group>
        <Button
          variant="default"
          size="sm"
          renderRoot={(props) => <Link to="/user/edit/{-$id}" params={{ id: undefined }} {...props} />}
        >
          {t('account.edit')}
        </Button>
      </div>
      <div className={classes.figures}>
        <StatLine
          stats={[
            [t('account.balance'), <Money key="balance" quota={user.quota} />],
            [t('account.used'), <Money key="used" quota={user.used_quota} />],
            [t('account.calls'), number(user.request_count)],
          ]}
        />
      </div>
      <div className={classes.facts}>
        <Facts
          facts={[
            [
              t('account.id'),
              <Group key="id" gap={2}>
                {user.id}
                <CopyButton text={String(user.id)} label={t('account.copyId')} size={24} />
              </Group>,
            ],
            [t('account.group'), user.group],
            [t('account.email'), user.email || t('account.noEmail')],
            [t('account.since'), user.created_at > 0 && formatTime(user.created_at).slice(0, 10)],
          ]}
        />
      </div>
    </Paper>
  )
}
