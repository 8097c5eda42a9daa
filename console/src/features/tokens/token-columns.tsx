import { Text } from '@mantine/core'
import type { tokenRoutes } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

import type { Column } from '../../components/data-table/types'
import { SecretField } from '../../components/secret-field'
import { TimeAgo } from '../../components/time-ago'
import { useFormat } from '../../lib/use-format'
import { shownKey } from './token-key'
import { TokenQuota } from './token-quota'
import { TokenStatus } from './token-status'
import classes from './tokens.module.css'

type Token = tokenRoutes.TokenEntity

const Quiet = ({ children }: { readonly children: string }) => (
  <Text inherit span c="dimmed">
    {children}
  </Text>
)

/** What the list tells of a token. */
export function useTokenColumns(): readonly Column<Token>[] {
  const { t } = useTranslation('tokens')
  return [
    {
      id: 'name',
      title: t('column.name'),
      isFixed: true,
      card: 'title',
      cell: ({ name }) => (
        <div className={classes.name} title={name}>
          {name}
        </div>
      ),
    },
    { id: 'status', title: t('column.status'), cell: (token) => <TokenStatus token={token} /> },
    {
      id: 'key',
      title: t('column.key'),
      cell: ({ key }) =>
        key ? <SecretField value={shownKey(key)} label={t('action.copyKey')} /> : <Quiet>{t('keyLost')}</Quiet>,
    },
    { id: 'quota', title: t('column.quota'), cell: (token) => <TokenQuota token={token} /> },
    {
      id: 'group',
      title: t('column.group'),
      card: 'hidden',
      cell: ({ group }) => group || <Quiet>{t('group.own')}</Quiet>,
    },
    {
      id: 'expiry',
      title: t('column.expiry'),
      cell: ({ expired_time: at }) => (at === -1 ? <Quiet>{t('expiry.never')}</Quiet> : <TimeAgo at={at} />),
    },
    {
      id: 'used',
      title: t('column.used'),
      cell: ({ accessed_time: at }) => (at === 0 ? <Quiet>{t('neverUsed')}</Quiet> : <TimeAgo at={at} />),
    },
    { id: 'rate', title: t('column.rate'), isHiddenAtFirst: true, cell: (token) => <RateLimit token={token} /> },
    {
      id: 'created',
      title: t('column.created'),
      isHiddenAtFirst: true,
      cell: ({ created_time: at }) => <TimeAgo at={at} />,
    },
  ]
}

function RateLimit({ token }: { readonly token: Token }) {
  const { t } = useTranslation('tokens')
  const { number } = useFormat()
  const { rate_limit_enabled: isOn, rate_limit_period: period, rate_limit_count: calls } = token
  if (!isOn) return <Quiet>{t('rate.none')}</Quiet>
  const successes = token.rate_limit_success
  const parts = [
    calls > 0 && t('rate.calls', { calls: number(calls), period: number(period) }),
    successes > 0 && t('rate.successes', { calls: number(successes), period: number(period) }),
  ]
  return <span className="figures">{parts.filter(Boolean).join(' · ') || t('rate.none')}</span>
}
