import { Text } from '@mantine/core'

import { CopyField } from '../../../components/copy-button'
import type { Column } from '../../../components/data-table/types'
import { Money } from '../../../domain/money'
import { useMethodName } from '../../../domain/order'
import { TimeAgo } from '../../../components/time-ago'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { OrderState, useProviderName } from './order-cells'
import type { Order } from './order-data'

/** Columns of the list. */
export function useOrderColumns(): readonly Column<Order>[] {
  const { t } = useTranslation('orders')
  const { paid } = useFormat()
  const methodName = useMethodName()
  const providerName = useProviderName()
  return [
    {
      id: 'number',
      title: t('column.number'),
      isFixed: true,
      card: 'line',
      cell: ({ trade_no: number }) => <CopyField value={number} label={t('action.copy')} />,
    },
    { id: 'user', title: t('column.user'), card: 'title', cell: ({ username }) => username },
    {
      id: 'status',
      title: t('column.status'),
      isSortable: true,
      card: 'trailing',
      cell: (order) => <OrderState order={order} />,
    },
    {
      id: 'money',
      title: t('column.money'),
      isSortable: true,
      align: 'end',
      card: 'fact',
      cell: ({ money, currency }) => <span className="figures">{paid(money, currency)}</span>,
    },
    {
      id: 'quota',
      title: t('column.quota'),
      isSortable: true,
      align: 'end',
      card: 'fact',
      cell: ({ quota, quota_taken: taken }) => <Money quota={quota - taken} />,
    },
    {
      id: 'plan',
      title: t('column.plan'),
      hiddenBelow: 'wide',
      stackBelow: 'quota',
      ownColumnFrom: 'wide',
      card: 'fact',
      cell: ({ plan }) => plan,
    },
    {
      id: 'provider',
      title: t('column.method'),
      isSortable: true,
      hiddenBelow: 'wide',
      card: 'plain',
      cell: ({ method, provider }) => (
        <>
          {methodName(method)}{' '}
          {methodName(method) !== providerName(provider) && (
            <Text component="span" size="xs" c="dimmed">
              {providerName(provider)}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'created',
      title: t('column.created'),
      isSortable: true,
      hiddenBelow: 'wide',
      card: 'plain',
      cell: ({ created_at: at }) => <TimeAgo at={at} />,
    },
    {
      id: 'paid',
      title: t('column.paid'),
      isSortable: true,
      isHiddenAtFirst: true,
      card: 'hidden',
      cell: ({ paid_at: at }) => (at > 0 ? <TimeAgo at={at} /> : null),
    },
  ]
}
