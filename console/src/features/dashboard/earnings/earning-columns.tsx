import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { earningRoutes } from '@tollgate/contract'
import type { ReactNode } from 'react'

import type { Column } from '../../../components/data-table/types'
import { Money } from '../../../domain/money'
import { useFormat } from '../../../lib/text/use-format'
import { useTranslation } from '../../../lib/text/i18n'
import { cacheShare, timeLabel } from '../figures'
import { useColumnMoney } from '../column-money'
import { isKnown, marginOf, profitOf, unknownSale } from './earning-figures'
import { drillDown, type EarningView } from './earning-view'
import classes from './earnings.module.css'

type Sums = earningRoutes.EarningSums

/** A row of the table; the last may be everything that is not listed. */
export type EarningEntry = Sums & {
  readonly row: earningRoutes.EarningRow | null
  /** How many are not listed. */
  readonly others: number
}

const dash = '–'

/** The columns of the table, and the same figures of a total; `shown` are both. */
export function useEarningColumns(view: EarningView, shown: readonly Sums[]) {
  const { t } = useTranslation('earnings')
  const { number, money, share } = useFormat()
  const columnMoney = useColumnMoney()
  const inColumn = {
    quota: columnMoney(shown.map(({ quota }) => quota)),
    cost: columnMoney(shown.filter(isKnown).map(({ cost }) => cost)),
    profit: columnMoney(shown.map((sums) => profitOf(sums) ?? 0)),
    saved: columnMoney(shown.map(({ saved }) => saved)),
  }
  const figures: readonly (Omit<Column<EarningEntry>, 'cell'> & { readonly of: (sums: Sums) => ReactNode })[] = [
    { id: 'count', title: t('column.count'), hiddenBelow: 'middle', card: 'fact', of: ({ count }) => number(count) },
    {
      id: 'quota',
      title: t('column.quota'),
      card: 'fact',
      of: ({ quota }) => <Money quota={quota} shown={inColumn.quota(quota)} />,
    },
    {
      id: 'cost',
      title: t('column.cost'),
      card: 'fact',
      of: (sums) => (isKnown(sums) ? <Money quota={sums.cost} shown={inColumn.cost(sums.cost)} /> : <Unknown />),
    },
    {
      id: 'profit',
      title: t('column.profit'),
      card: 'fact',
      of: (sums) => {
        const profit = profitOf(sums)
        return profit === undefined ? (
          <Unknown />
        ) : (
          <Money quota={profit} shown={inColumn.profit(profit)} c={profit < 0 ? 'var(--bad-text)' : undefined} />
        )
      },
    },
    {
      id: 'margin',
      title: t('column.margin'),
      card: 'fact',
      of: (sums) => {
        const margin = marginOf(sums)
        return margin === undefined ? dash : share(margin)
      },
    },
    {
      id: 'unpriced',
      title: t('column.unpriced'),
      of: (sums) =>
        sums.unpriced > 0
          ? t('unknownPart', { count: sums.unpriced, calls: number(sums.unpriced), sale: money(unknownSale(sums)) })
          : dash,
    },
    {
      id: 'cached',
      title: t('column.cached'),
      hiddenBelow: 'wide',
      of: (sums) => {
        const cached = cacheShare(sums)
        return cached ? share(cached) : dash
      },
    },
    {
      id: 'saved',
      title: t('column.saved'),
      hiddenBelow: 'wide',
      of: ({ saved }) => (saved > 0 ? <Money quota={saved} shown={inColumn.saved(saved)} /> : dash),
    },
  ]
  const columns: readonly Column<EarningEntry>[] = [
    {
      id: 'name',
      title: t(`by.${view.by}`),
      isFixed: true,
      isSortable: true,
      isWide: true,
      card: 'title',
      cell: (entry) => <Name view={view} entry={entry} />,
    },
    ...figures.map(({ of, ...column }): Column<EarningEntry> => ({
      ...column,
      align: 'end',
      isSortable: true,
      cell: of,
      // A dash is left out there.
      cardCell: (entry) => (of(entry) === dash ? null : of(entry)),
    })),
  ]
  return { columns, cellsOf: (sums: Sums) => Object.fromEntries(figures.map(({ id, of }) => [id, of(sums)])) }
}

function Unknown() {
  const { t } = useTranslation('earnings')
  return (
    <Text component="span" inherit c="dimmed">
      {t('unknown')}
    </Text>
  )
}

interface NameProps {
  readonly view: EarningView
  readonly entry: EarningEntry
}

/** The name of a row, which leads to what it consists of. */
function Name({ view, entry: { row, others } }: NameProps) {
  const { t } = useTranslation('earnings')
  if (!row)
    return (
      <Text component="span" inherit c="dimmed">
        {t('others', { count: others })}
      </Text>
    )
  const name = view.by === 'time' ? timeLabel(row.id ?? 0, view.step) : row.name
  if (name === '' && view.by !== 'key') return t('nameless')
  return (
    <>
      <Anchor
        inherit
        // Text of the same line follows.
        underline={row.key === undefined ? 'hover' : 'always'}
        renderRoot={(props) => (
          <Link
            from="/admin/earnings"
            to="."
            search={(previous) => ({ ...previous, ...drillDown(view, row) })}
            {...props}
          />
        )}
      >
        {name}
      </Anchor>
      {row.key !== undefined && <span className={classes.key}> {row.key || t('noKey')}</span>}
    </>
  )
}
