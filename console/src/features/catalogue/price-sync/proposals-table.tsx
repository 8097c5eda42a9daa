import { Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { priceSyncRoutes } from '@tollgate/contract'
import { useMemo, useState } from 'react'

import { DataTable } from '../../../components/data-table/data-table'
import { sourceOf, usePage } from '../../../components/data-table/paging'
import { FilterBar } from '../../../components/filter-bar'
import { RouteTabs } from '../../../components/page/route-tabs'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { useSearchChange } from '../../../lib/url/use-search-change'
import { DecideAll, DecideButtons } from './decide-buttons'
import classes from './price-sync.module.css'
import type { PriceSyncSearch } from './price-sync-search'
import { sourceName } from './source-name'
import { useProposalColumns } from './proposal-columns'

const route = getRouteApi('/admin/prices_/sync')

interface ProposalsProps {
  readonly counts: Readonly<Record<priceSyncRoutes.ProposalState, number>>
  readonly sources: readonly priceSyncRoutes.PriceSource[]
  readonly mayWrite: boolean
}

/** Differences between the sources and the current prices, and decisions about them. */
export function Proposals({ counts, sources, mayWrite }: ProposalsProps) {
  const { t } = useTranslation('price-sync')
  const search = route.useSearch()
  const setSearch = useSearchChange<PriceSyncSearch>(route.useNavigate())
  const { state = 'waiting', keyword, source, sort } = search
  const paging = usePage(search, setSearch)
  const list = useRead(
    priceSyncRoutes.listProposals,
    { query: { p: paging.page, page_size: paging.size, state, keyword, source, order: sort } },
    { staleTime: 0 },
  )
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const canDecide = mayWrite && (state === 'waiting' || state === 'rejected')
  const total = list.data?.total ?? 0
  const selection = useMemo(
    () =>
      canDecide
        ? {
            selected,
            onChange: setSelected,
            actions: (rows: readonly priceSyncRoutes.PriceProposal[], clear: () => void) => (
              <DecideButtons ids={rows.map(({ id }) => id)} state={state} onDone={clear} />
            ),
          }
        : undefined,
    [canDecide, selected, state],
  )
  return (
    <section className={classes.part}>
      <div className={classes.head}>
        <Title order={2} size="h4">
          {t('proposals.title')}
        </Title>
        {canDecide && state === 'waiting' && total > 0 && (
          <DecideAll total={total} filter={{ keyword, source }} onDone={() => setSelected(new Set())} />
        )}
      </div>
      <RouteTabs
        label={t('proposals.states')}
        current={state}
        tabs={priceSyncRoutes.proposalStates.map((name) => ({
          name,
          label: t(`tab.${name}`, { count: counts[name] }),
          link: {
            to: '/admin/prices/sync',
            search: { ...search, page: undefined, state: name === 'waiting' ? undefined : name },
          },
        }))}
      />
      <DataTable
        // A selection is valid only within its own state.
        key={state}
        id="price-proposals"
        label={t('proposals.title')}
        columns={useProposalColumns(state)}
        rowKey={({ id }) => String(id)}
        source={sourceOf(list)}
        paging={{ ...paging, total }}
        sorting={{
          column: sort,
          isDescending: sort === 'change',
          onChange: (column) => setSearch({ sort: column === 'change' ? 'change' : 'model', page: undefined }),
          onReset: () => setSearch({ sort: undefined, page: undefined }),
        }}
        selection={selection}
        empty={{ title: t(`empty.${state}`), hint: t(`emptyHint.${state}`), action: null }}
        onClearFilters={
          keyword !== undefined || source !== undefined
            ? () => setSearch({ keyword: undefined, source: undefined, page: undefined })
            : undefined
        }
        toolbar={
          <FilterBar
            filters={[
              { kind: 'text', name: 'keyword', label: t('filter.keyword'), isSearch: true },
              {
                kind: 'few',
                name: 'source',
                label: t('filter.source'),
                choices: [
                  { value: 'lists', label: t('source.lists') },
                  ...sources
                    .filter(({ kind }) => kind === 'channel')
                    .map((one) => ({ value: one.name, label: sourceName(one) })),
                ],
              },
            ]}
            values={{ keyword, source }}
            onChange={(change) => setSearch({ ...change, page: undefined })}
          />
        }
      />
    </section>
  )
}
