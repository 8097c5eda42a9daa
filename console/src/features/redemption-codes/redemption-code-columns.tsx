import { Text } from '@mantine/core'

import { CopyField } from '../../components/copy-button'
import type { Column } from '../../components/data-table/types'
import { mask } from '../../components/fields/secret-field'
import { TimeAgo } from '../../components/time-ago'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { useFormat } from '../../lib/text/use-format'
import {
  RedemptionCodeQuota,
  RedemptionCodeStatus,
  RedemptionCodeUses,
  RedemptionCodeWindow,
} from './redemption-code-cells'
import type { RedemptionCode } from './redemption-code-data'

/** Columns of the list. */
export function useRedemptionCodeColumns(now: number): readonly Column<RedemptionCode>[] {
  const { t } = useTranslation('redemption-codes')
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
      cell: (code) => <RedemptionCodeStatus code={code} now={now} />,
    },
    {
      id: 'key',
      title: t('column.key'),
      card: 'plain',
      // A gift code is there to be published.
      cell: ({ key, is_gift: isGift }) =>
        mayCopy ? (
          <CopyField value={key} shown={isGift ? key : mask(key)} label={t('action.copy')} />
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
      cell: (code) => <RedemptionCodeQuota code={code} />,
    },
    {
      id: 'uses',
      title: t('column.uses'),
      isSortable: true,
      hiddenBelow: 'middle',
      card: 'fact',
      cell: (code) => <RedemptionCodeUses code={code} />,
      // A card says so by its status.
      cardCell: (code) => (code.is_gift || code.used_count > 0 ? <RedemptionCodeUses code={code} /> : null),
    },
    {
      id: 'expires',
      title: t('column.window'),
      isSortable: true,
      hiddenBelow: 'middle',
      stackBelow: 'uses',
      ownColumnFrom: 'wide',
      card: 'fact',
      cell: (code) => <RedemptionCodeWindow code={code} />,
      cardCell: (code) => (code.valid_from > 0 || code.valid_until > 0 ? <RedemptionCodeWindow code={code} /> : null),
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
