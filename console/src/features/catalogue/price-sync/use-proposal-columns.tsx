import { Text } from '@mantine/core'
import type { priceSyncRoutes } from '@tollgate/contract'

import type { Column } from '../../../components/data-table/types'
import { StatusBadge, type Tone } from '../../../components/status-badge'
import { TimeAgo } from '../../../components/time-ago'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { ProposedValue } from './proposed-value'
import { useFieldName } from './use-field-name'

type Proposal = priceSyncRoutes.PriceProposal

const tones: Readonly<Record<Proposal['reason'], Tone>> = {
  new: 'accent',
  rise: 'warning',
  fall: 'good',
  own: 'accent',
  structure: 'accent',
  kind: 'neutral',
  zero: 'neutral',
  dropped: 'neutral',
  absent: 'neutral',
  filler: 'neutral',
  expression: 'neutral',
}

/** Columns of a proposal: its value, its model, and why it is pending or refused. */
export function useProposalColumns(state: priceSyncRoutes.ProposalState): readonly Column<Proposal>[] {
  const { t } = useTranslation('price-sync')
  const fieldName = useFieldName()
  const decided: readonly Column<Proposal>[] =
    state === 'applied' || state === 'rejected'
      ? [
          {
            id: 'decided',
            title: t('column.decided'),
            card: 'fact',
            from: 'middle',
            cell: ({ decided_at: at, decided_by: by }) => (
              <>
                {at !== null && <TimeAgo at={at} />} {by === '' ? t('byItself') : by}
              </>
            ),
          },
        ]
      : []
  return [
    {
      id: 'model',
      title: t('column.model'),
      isFixed: true,
      isSortable: true,
      card: 'title',
      cell: ({ model }) => model,
    },
    { id: 'field', title: t('column.field'), card: 'plain', cell: ({ field }) => fieldName(field) },
    {
      id: 'before',
      title: t('column.before'),
      align: 'end',
      card: 'fact',
      cell: ({ field, before }) => <ProposedValue field={field} value={before} />,
    },
    {
      id: 'after',
      title: t('column.after'),
      align: 'end',
      card: 'fact',
      cell: ({ field, after }) => <ProposedValue field={field} value={after} />,
    },
    {
      id: 'change',
      title: t('column.change'),
      align: 'end',
      isSortable: true,
      card: 'aside',
      cell: ({ percent }) => <Change percent={percent} />,
    },
    {
      id: 'source',
      title: t('column.source'),
      card: 'fact',
      from: 'middle',
      cardCell: ({ source, source_name: name, channel_id: channelId }) =>
        [source === 'lists' ? t('source.lists') : name, t(channelId === 0 ? 'source.sale' : 'source.cost')].join(' · '),
      cell: ({ source, source_name: name, channel_id: channelId }) => (
        <>
          {source === 'lists' ? t('source.lists') : name}
          <Text size="xs" c="dimmed">
            {t(channelId === 0 ? 'source.sale' : 'source.cost')}
          </Text>
        </>
      ),
    },
    {
      id: 'reason',
      title: t('column.reason'),
      under: 'change',
      alone: 'middle',
      card: 'plain',
      cell: ({ reason }) => (
        <StatusBadge tone={tones[reason]} reason={t(`why.${reason}`)}>
          {t(`reason.${reason}`)}
        </StatusBadge>
      ),
    },
    ...decided,
  ]
}

/** Increases have the warning colour. */
function Change({ percent }: { readonly percent: number | null }) {
  const { share } = useFormat()
  if (percent === null) return '–'
  return (
    <Text component="span" size="sm" className="figures" c={percent > 0 ? 'var(--warn-text)' : undefined}>
      {`${percent > 0 ? '+' : percent < 0 ? '−' : ''}${share(Math.abs(percent) / 100)}`}
    </Text>
  )
}
