import { Text, ActionIcon, Group } from '@mantine/core'
import type { tokenRoutes } from '@tollgate/contract'
import { lazy, Suspense } from 'react'
import { IconEye } from '@tabler/icons-react'

import classes from './tokens.module.css'
import type { Column } from '../../components/data-table/types'
import { SecretField, mask } from '../../components/fields/secret-field'
import { Money } from '../../domain/money'
import { Quiet } from '../../components/quiet'
import { TimeAgo } from '../../components/time-ago'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import { useTokenKey, type TokenKey } from '../../lib/api/use-token-key'
import { shownKey } from './token-text'
import { TokenStatus, TokenQuota } from './token-cells'
import { Tip } from '../../components/tip'
import { LimitCell } from '../../domain/limits/limit-cell'
import { useOwnKeyStandings } from '../../domain/limits/standings-data'

const TokenMonth = lazy(async () => ({ default: (await import('./token-month')).TokenMonth }))

type Token = tokenRoutes.TokenEntity

/** Columns of the list. */
export function useTokenColumns(): readonly Column<Token>[] {
  const { t } = useTranslation('tokens')
  const standings = useOwnKeyStandings()
  return [
    {
      id: 'name',
      title: t('column.name'),
      isFixed: true,
      isSortable: true,
      card: 'title',
      cell: ({ name }) => (
        <div className={classes.name} title={name}>
          {name}
        </div>
      ),
    },
    {
      id: 'status',
      title: t('column.status'),
      card: 'trailing',
      stackBelow: 'name',
      ownColumnFrom: 'middle',
      cell: (token) => <TokenStatus token={token} />,
    },
    {
      id: 'key',
      title: t('column.key'),
      hiddenBelow: 'middle',
      cell: (token) => <TokenKey token={token} />,
    },
    {
      id: 'left',
      title: t('column.quota'),
      isSortable: true,
      card: 'plain',
      cell: (token) => <TokenQuota token={token} />,
    },
    {
      id: 'limits',
      title: t('column.limits'),
      card: 'line',
      stackBelow: 'left',
      cell: ({ id }) => <LimitCell standings={standings?.get(id)} />,
    },
    {
      id: 'month',
      title: t('column.month'),
      card: 'hidden',
      hiddenBelow: 'wide',
      cell: ({ name }) => (
        <Suspense>
          <TokenMonth name={name} />
        </Suspense>
      ),
    },
    {
      id: 'group',
      title: t('column.group'),
      card: 'hidden',
      hiddenBelow: 'wide',
      cell: ({ group }) => group || <Quiet>{t('group.own')}</Quiet>,
    },
    {
      id: 'expires',
      title: t('column.expiry'),
      isSortable: true,
      card: 'fact',
      stackBelow: 'used',
      ownColumnFrom: 'wide',
      cardCell: ({ expired_time: at }) => (at === -1 ? null : <TimeAgo at={at} />),
      cell: ({ expired_time: at }) => (at === -1 ? <Quiet>{t('expiry.never')}</Quiet> : <TimeAgo at={at} />),
    },
    {
      id: 'used',
      title: t('column.used'),
      isSortable: true,
      card: 'fact',
      cardCell: ({ accessed_time: at }) => (at === 0 ? null : <TimeAgo at={at} />),
      cell: ({ accessed_time: at }) => (at === 0 ? <Quiet>{t('neverUsed')}</Quiet> : <TimeAgo at={at} />),
    },
    {
      id: 'ip',
      title: t('column.ip'),
      isHiddenAtFirst: true,
      cell: ({ last_ip: ip, accessed_time: at }) =>
        ip || <Quiet>{at === 0 ? t('neverUsed') : t('ipNotRecorded')}</Quiet>,
    },
    {
      id: 'spent',
      title: t('column.spent'),
      isHiddenAtFirst: true,
      isSortable: true,
      cell: ({ used_quota: quota }) => <Money quota={quota} />,
    },
    { id: 'rate', title: t('column.rate'), isHiddenAtFirst: true, cell: (token) => <RateLimit token={token} /> },
    {
      id: 'created',
      title: t('column.created'),
      isSortable: true,
      isHiddenAtFirst: true,
      cell: ({ created_time: at }) => <TimeAgo at={at} />,
    },
  ]
}

function TokenKey({ token }: { readonly token: Token }) {
  const { t } = useTranslation('tokens')
  const known = useTokenKey(token)
  const { previous_key_until: until } = token
  if (!known.key) return <Quiet>{t('keyLost')}</Quiet>
  return (
    <>
      {known.isHidden ? (
        <HiddenKey hidden={known} />
      ) : (
        <SecretField value={shownKey(known.key)} label={t('action.copyKey')} />
      )}
      {until > 0 && (
        <Text size="xs" c="dimmed">
          {t('oldKey')} <TimeAgo at={until} />
        </Text>
      )}
    </>
  )
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

/** A key that the site hides, with the button that asks for a proof of identity. */
function HiddenKey({ hidden: { key, reveal, isRevealing } }: { readonly hidden: TokenKey }) {
  const { t } = useTranslation('tokens')
  return (
    <Group gap={2} wrap="nowrap">
      <Text ff="monospace" fz="xs" style={{ whiteSpace: 'nowrap' }}>
        {mask(shownKey(key)).replaceAll('*', '•')}
      </Text>
      <Tip label={t('revealKey')}>
        <ActionIcon
          size={26}
          aria-label={t('revealKey')}
          loading={isRevealing}
          onClick={(event) => {
            event.stopPropagation()
            reveal()
          }}
        >
          <IconEye size={15} />
        </ActionIcon>
      </Tip>
    </Group>
  )
}
