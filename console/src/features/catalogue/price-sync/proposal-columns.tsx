import { Text } from '@mantine/core'
import { type priceSyncRoutes, priceClasses, type PriceClass } from '@tollgate/contract'

import type { Column } from '../../../components/data-table/types'
import { StatusBadge, type Tone } from '../../../components/status-badge'
import { TimeAgo } from '../../../components/time-ago'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { usePriceText } from '../../../domain/price/use-price-text'
import { exactPriceText, tokensText } from '../../../lib/text/prices'

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
            hiddenBelow: 'middle',
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
      card: 'trailing',
      cell: ({ percent }) => <Change percent={percent} />,
    },
    {
      id: 'source',
      title: t('column.source'),
      card: 'fact',
      hiddenBelow: 'middle',
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
      stackBelow: 'change',
      ownColumnFrom: 'middle',
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

interface ProposedValueProps {
  readonly field: string
  readonly value: priceSyncRoutes.ProposedValue | null
}

const dash = '–'

/** A price, a factor, a mode or hours, in short form. */
function ProposedValue({ field, value }: ProposedValueProps) {
  const { t } = useTranslation('price-sync')
  const { factor, className } = usePriceText()
  if (value === null) return <span aria-label={t('value.none')}>{dash}</span>
  if (typeof value === 'number') return field.endsWith(':factor') ? factor(value) : exactPriceText(value)
  if (typeof value === 'string') return value === 'tokens' ? t('value.tokens') : t('value.unit')
  if (Array.isArray(value))
    return value.map((span) => `${span.from}–${span.to} ${span.zone} ${factor(span.factor)}`).join(', ')
  const { prices = {} } = value
  const shown = priceClasses.flatMap((name) => {
    const price = prices[name]
    return price === undefined ? [] : `${className(name)} ${exactPriceText(price)}`
  })
  return [...(value.factor === undefined ? [] : [factor(value.factor)]), ...shown].join(', ')
}

const known: ReadonlySet<string> = new Set(priceClasses)
const isClass = (name: string): name is PriceClass => known.has(name)

/** Returns the name of a proposal's field: `Input`, `Output above 200k`, `Priority: factor`. */
function useFieldName(): (field: string) => string {
  const { t } = useTranslation('price-sync')
  const { className, modeName } = usePriceText()
  const classOf = (name: string) => (isClass(name) ? className(name) : name)
  return (field) => {
    const [part = '', which = '', name = ''] = field.split(':')
    if (part === '') return t('field.whole')
    if (part === 'kind' || part === 'schedules') return t(`field.${part}`)
    if (part === 'tier') return t('field.tier', { name: classOf(name), tokens: tokensText(Number(which)) })
    if (part !== 'mode') return classOf(part)
    const mode = modeName({ name: which })
    if (name === '') return t('field.mode', { mode })
    return t('field.modePart', { mode, name: name === 'factor' ? t('field.factor') : classOf(name) })
  }
}
