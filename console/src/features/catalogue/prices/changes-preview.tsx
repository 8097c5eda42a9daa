import { Badge, Button, Group, Table, Text } from '@mantine/core'
import { priceClasses, type PriceEntry, type priceRoutes } from '@tollgate/contract'
import { inPrices } from '@tollgate/contract/price-formula'

import { usePriceText } from '../../../domain/price/use-price-text'
import { useTranslation } from '../../../lib/text/i18n'
import { exactPriceText } from '../../../lib/text/prices'
import { Difference } from './price-figures'
import { differenceOf } from './own-entry'
import classes from './prices.module.css'

interface ChangesTableProps {
  readonly changes: readonly priceRoutes.PriceChange[]
  /** Number of all changes; the table has the first of them. */
  readonly total: number
}

/** Prices before and after, class by class. */
export function ChangesTable({ changes, total }: ChangesTableProps) {
  const { t } = useTranslation('prices')
  const rest = total - changes.length
  return (
    <div className={classes.changes} role="region" aria-label={t('changes.prices')} tabIndex={0}>
      <Table fz="sm" stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('column.model')}</Table.Th>
            <Table.Th>{t('changes.prices')}</Table.Th>
            <Table.Th ta="right">{t('changes.mix')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map((change) => (
            <Table.Tr key={change.model}>
              <Table.Td miw={130} style={{ overflowWrap: 'anywhere' }}>
                {change.model}
              </Table.Td>
              <Table.Td>
                <Classes {...change} />
              </Table.Td>
              <Table.Td ta="right">
                <Mix {...change} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rest > 0 && (
        <Text size="sm" c="dimmed" p="xs">
          {t('changes.more', { count: rest })}
        </Text>
      )}
    </div>
  )
}

type Change = priceRoutes.PriceChange

/** Changed classes; then whether tiers, modes or hours change. */
function Classes({ before, after }: Pick<Change, 'before' | 'after'>) {
  const { t } = useTranslation('prices')
  const { className } = usePriceText()
  if (!after) return <Badge color="red">{t('filter.unpriced')}</Badge>
  const [old, next] = [before && inPrices(before), inPrices(after)]
  const changed = priceClasses.filter((name) => old?.prices[name] !== next.prices[name])
  const parts = (['tiers', 'modes', 'schedules'] as const).filter((part) => !isSame(old, next, part))
  return (
    <>
      {changed.map((name) => (
        <div key={name} className="figures">
          <Text inherit span c="dimmed">
            {className(name)}{' '}
          </Text>
          <span className={classes.amounts}>{`${textOf(old?.prices[name])} → ${textOf(next.prices[name])}`}</span>
        </div>
      ))}
      {parts.map((part) => (
        <Text key={part} inherit c="dimmed">
          {t(`changes.${part}`)}
        </Text>
      ))}
    </>
  )
}

const textOf = (price: number | undefined) => (price === undefined ? '–' : exactPriceText(price))

const isSame = (before: PriceEntry | null, after: PriceEntry, part: 'tiers' | 'modes' | 'schedules') =>
  JSON.stringify(before?.[part] ?? []) === JSON.stringify(after[part] ?? [])

const Mix = ({ before_mix: before, after_mix: after }: Pick<Change, 'before_mix' | 'after_mix'>) => (
  <span className={classes.price}>
    <span
      className={`figures ${classes.amounts}`}
    >{`${textOf(before ?? undefined)} → ${textOf(after ?? undefined)}`}</span>
    <Difference share={differenceOf(after, before)} />
  </span>
)

interface Step {
  readonly isPending: boolean
  readonly run: () => void
}

interface PreviewActionsProps {
  /** There is something to preview. */
  readonly isComplete: boolean
  /** Number of changes in the preview; null: no preview, or it cannot be saved. */
  readonly found: number | null
  readonly preview: Step
  readonly save: Step
  readonly onCancel: () => void
}

/** Footer of a dialog whose changes are previewed before they are saved. */
export function PreviewActions({ isComplete, found, preview, save, onCancel }: PreviewActionsProps) {
  const { t } = useTranslation('prices')
  return (
    <Group justify="flex-end" gap={8}>
      <Button variant="default" disabled={save.isPending} onClick={onCancel}>
        {t('common:cancel')}
      </Button>
      {found !== null && found > 0 ? (
        // Focused when it takes the place of the preview's button, which lost the focus while it was disabled.
        <Button key="save" loading={save.isPending} onClick={save.run} autoFocus>
          {t('bulk.save', { count: found })}
        </Button>
      ) : (
        <Button disabled={!isComplete} loading={preview.isPending} onClick={preview.run}>
          {t('bulk.preview')}
        </Button>
      )}
    </Group>
  )
}
