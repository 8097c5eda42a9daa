import { Button, Group, ActionIcon } from '@mantine/core'
import { IconCalculator, IconColumns3, IconMathFunction, IconLayoutGrid, IconTable } from '@tabler/icons-react'
import { lazy, Suspense, useCallback, useMemo } from 'react'
import { Link } from '@tanstack/react-router'
import { priceRoutes } from '@tollgate/contract'

import classes from './models.module.css'
import { DataTable } from '../../../components/data-table/data-table'
import { TablePager } from '../../../components/data-table/table-pager'
import { usePage } from '../../../components/data-table/paging'
import { FilterBar } from '../../../components/filter-bar'
import { ListWithPanel } from '../../../components/peek/list-with-panel'
import { usePeek } from '../../../components/peek/use-peek'
import { useIsPhone } from '../../../lib/browser/breakpoints'
import { useTranslation } from '../../../lib/text/i18n'
import type { Offer } from './offers'
import { TryOffer } from './model-cells'
import { ModelCards } from './model-cards'
import { useModelColumns } from './model-columns'
import { sortColumns, type ModelSearch } from './model-search'
import type { Offers } from './model-data'
import { Tip } from '../../../components/tip'
import type { EmptyText } from '../../../components/data-table/types'
import { useEnvelope } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'

const ModelPanel = lazy(async () => ({ default: (await import('./model-panel')).ModelPanel }))
const Calculator = lazy(async () => ({ default: (await import('./calculator')).Calculator }))

interface ModelsTableProps {
  readonly offers: Offers
  readonly search: ModelSearch
  readonly setSearch: (change: Partial<ModelSearch>) => void
  readonly canTry: boolean
}

const rowKey = ({ id }: Offer) => id
const noFilters = { keyword: undefined, vendor: undefined, kind: undefined, ability: undefined, page: undefined }

/** The models as a table or as cards, paged locally. */
export function ModelsTable({ offers, search, setSearch, canTry }: ModelsTableProps) {
  const { t } = useTranslation('pricing')
  const columns = useModelColumns(offers, search)
  const isPhone = useIsPhone()
  const { answer, found } = offers
  const empty = useEmptyPrices(answer.data !== undefined && offers.all.length === 0)
  const page = usePage(search, setSearch)
  // A page beyond the last, from an outdated link, shows the last one.
  const last = Math.max(1, Math.ceil(found.length / page.size))
  const number = Math.min(page.page, last)
  const rows = useMemo(() => found.slice((number - 1) * page.size, number * page.size), [found, number, page.size])
  const open = useCallback((model: string | undefined) => setSearch({ open: model }), [setSearch])
  const peek = usePeek(search.open, rows, open)
  const opened = search.open === undefined ? undefined : offers.all.find(({ id }) => id === search.open)
  const paging = { ...page, page: number, total: found.length }
  const isFiltered = Boolean(search.keyword ?? search.vendor ?? search.kind ?? search.ability)
  const { calculator: isCalculating, compare: isComparing } = search
  const toolbar = (
    <Group justify="space-between" align="flex-start" gap={8} w="100%">
      <div className={classes.search}>
        <FilterBar
          filters={[{ kind: 'text', name: 'keyword', label: t('search'), isSearch: true, width: 260 }]}
          values={{ keyword: search.keyword }}
          onChange={(change) => setSearch({ ...change, page: undefined })}
        />
      </div>
      <Group gap={8}>
        <Button
          variant={isCalculating ? 'light' : 'default'}
          leftSection={<IconCalculator size={15} />}
          aria-pressed={isCalculating ?? false}
          onClick={() => setSearch({ calculator: isCalculating ? undefined : true })}
        >
          {t('calculator.title')}
        </Button>
        {Object.keys(offers.ratios).length > 1 && (
          <Button
            variant={isComparing ? 'light' : 'default'}
            leftSection={<IconColumns3 size={15} />}
            aria-pressed={isComparing ?? false}
            onClick={() => setSearch({ compare: isComparing ? undefined : true })}
          >
            {t('compare')}
          </Button>
        )}
        <FormulaTip />
        <ViewSwitch
          isCards={search.view === 'cards'}
          onChange={(isCards) => setSearch({ view: isCards ? 'cards' : undefined })}
        />
      </Group>
      {isCalculating && (
        <Suspense fallback={<div className={classes.calculator} data-is-waiting />}>
          <Calculator offers={offers} onChange={setSearch} />
        </Suspense>
      )}
    </Group>
  )
  const panel = opened && <ModelPanel offer={opened} offers={offers} {...peek.panel} />
  if ((isPhone || search.view === 'cards') && rows.length > 0)
    return (
      <ListWithPanel panel={panel}>
        <div className={classes.frame}>
          <div className={classes.toolbar}>{toolbar}</div>
          <ModelCards rows={rows} offers={offers} search={search} onOpen={peek.table.onOpen} />
          <TablePager paging={paging} />
        </div>
      </ListWithPanel>
    )
  return (
    <ListWithPanel panel={panel}>
      <DataTable
        id="pricing"
        label={t('title')}
        columns={columns}
        rowKey={rowKey}
        source={{
          rows: answer.data && rows,
          isPending: answer.isPending,
          error: answer.error,
          onRetry: () => void answer.refetch(),
        }}
        paging={paging}
        sorting={{
          column: search.sort ?? 'name',
          isDescending: search.descending ?? false,
          onChange: (column, isDescending) =>
            setSearch({ sort: sortColumns.find((name) => name === column), descending: isDescending || undefined }),
        }}
        isMuted={({ factor }) => factor === undefined}
        rowActions={canTry ? (offer) => <TryOffer offer={offer} /> : undefined}
        empty={empty}
        onClearFilters={isFiltered ? () => setSearch(noFilters) : undefined}
        toolbar={toolbar}
        {...peek.table}
      />
    </ListWithPanel>
  )
}

/** Explains how prices are computed. */
function FormulaTip() {
  const { t } = useTranslation('pricing')
  return (
    <Tip label={t('formula')}>
      <ActionIcon aria-label={t('formulaLabel')}>
        <IconMathFunction size={17} />
      </ActionIcon>
    </Tip>
  )
}

/** Returns what an empty price list says: models without a price are missing a price and not a channel. */
function useEmptyPrices(isEmpty: boolean): EmptyText {
  const { t } = useTranslation('pricing')
  const { may } = useViewer()
  const query = { filter: 'unpriced', page_size: 1 } as const
  const { data } = useEnvelope(priceRoutes.listPrices, { query }, { enabled: isEmpty && may('prices.read') })
  const unpriced = data?.envelopeFields.counts['unpriced'] ?? 0
  if (unpriced > 0)
    return {
      title: t('empty.unpriced', { count: unpriced }),
      hint: t('empty.unpricedHint'),
      action: (
        <Button renderRoot={(props) => <Link to="/admin/prices" search={{ filter: 'unpriced' }} {...props} />}>
          {t('empty.setPrices')}
        </Button>
      ),
    }
  const mayConnect = may('keys.write')
  return {
    title: t('empty.title'),
    hint: t(mayConnect ? 'empty.hintAdmin' : 'empty.hint'),
    action: mayConnect && (
      <Button renderRoot={(props) => <Link to="/admin/channels" search={{ edit: 'new' }} {...props} />}>
        {t('empty.addChannel')}
      </Button>
    ),
  }
}

interface ViewSwitchProps {
  readonly isCards: boolean
  readonly onChange: (isCards: boolean) => void
}

/** Table or cards. */
function ViewSwitch({ isCards, onChange }: ViewSwitchProps) {
  const { t } = useTranslation('pricing')
  const views = [
    { name: t('view.table'), Icon: IconTable, isCards: false },
    { name: t('view.cards'), Icon: IconLayoutGrid, isCards: true },
  ]
  return (
    <Group gap={2} wrap="nowrap" visibleFrom="xs">
      {views.map((view) => (
        <Tip key={view.name} label={view.name}>
          <ActionIcon
            aria-label={view.name}
            aria-pressed={view.isCards === isCards}
            variant={view.isCards === isCards ? 'default' : 'subtle'}
            onClick={() => onChange(view.isCards)}
          >
            <view.Icon size={17} />
          </ActionIcon>
        </Tip>
      ))}
    </Group>
  )
}
