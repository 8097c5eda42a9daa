import { Text } from '@mantine/core'

import { CopyField } from '../../components/copy-field'
import type { Column } from '../../components/data-table/types'
import { Money } from '../../domain/money'
import { masked } from '../../components/fields/secret-field'
import { TimeAgo } from '../../components/time-ago'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { useFormat } from '../../lib/text/use-format'
import { CouponStatus, CouponUses, CouponWindow } from './redemption-code-cells'
import type { Coupon } from './redemption-code-data'

/** Columns of the list. */
export function useCouponColumns(now: number): readonly Column<Coupon>[] {
  const { t } = useTranslation('coupons')
  const { number } = useFormat()
  const mayCopy = useViewer().may('codes.write')
  return [
    {
      id: 'id',
      title: t('column.id'),
      isSortable: true,
      align: 'end',
      hiddenBelow: 'wide',
      card: 'hidden',
      cell: ({ id }) => <span className="figures">{number(id)}</span>,
    },
    { id: 'name', title: t('column.name'), isFixed: true, isSortable: true, card: 'title', cell: ({ name }) => name },
    {
      id: 'status',
      title: t('column.status'),
      isSortable: true,
      card: 'trailing',
      cell: (coupon) => <CouponStatus coupon={coupon} now={now} />,
    },
    {
      id: 'key',
      title: t('column.key'),
      card: 'plain',
      // A gift code is there to be published.
      cell: ({ key, is_gift: isGift }) =>
        mayCopy ? (
          <CopyField value={key} shown={isGift ? key : masked(key)} label={t('action.copy')} />
        ) : (
          <Text ff="monospace" fz="xs">
            {key}
          </Text>
        ),
    },
    {
      id: 'quota',
      title: t('column.quota'),
      isSortable: true,
      align: 'end',
      card: 'fact',
      cell: ({ quota }) => <Money quota={quota} />,
    },
    {
      id: 'uses',
      title: t('column.uses'),
      isSortable: true,
      hiddenBelow: 'middle',
      card: 'fact',
      cell: (coupon) => <CouponUses coupon={coupon} />,
      // A card says so by its status.
      cardCell: (coupon) => (coupon.is_gift || coupon.used_count > 0 ? <CouponUses coupon={coupon} /> : null),
    },
    {
      id: 'expires',
      title: t('column.window'),
      isSortable: true,
      hiddenBelow: 'middle',
      stackBelow: 'uses',
      ownColumnFrom: 'wide',
      card: 'fact',
      cell: (coupon) => <CouponWindow coupon={coupon} />,
      cardCell: (coupon) => (coupon.valid_from > 0 || coupon.valid_until > 0 ? <CouponWindow coupon={coupon} /> : null),
    },
    {
      id: 'redeemed',
      title: t('column.redeemed'),
      isSortable: true,
      isHiddenAtFirst: true,
      card: 'hidden',
      cell: ({ redeemed_time: at }) => (at > 0 ? <TimeAgo at={at} /> : null),
    },
    {
      id: 'created',
      title: t('column.created'),
      hiddenBelow: 'wide',
      card: 'hidden',
      cell: ({ created_time: at }) => <TimeAgo at={at} />,
    },
  ]
}
