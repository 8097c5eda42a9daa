import { Button } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { priceRoutes } from '@tollgate/contract'
import { IconAdjustments, IconDownload, IconUpload } from '@tabler/icons-react'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'

import { useList } from '../../../components/data-table/use-list'
import { ListWithPanel } from '../../../components/peek/list-with-panel'
import { MenuButton } from '../../../components/menu-button'
import { PageHeader } from '../../../components/page/page-header'
import { PriceTabs } from '../../../domain/price/price-tabs'
import { usePeek } from '../../../components/peek/use-peek'
import { useTranslation } from '../../../lib/text/i18n'
import { useEnvelope } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'
import { useDownload } from '../../../lib/api/use-download'
import { useFormat } from '../../../lib/text/use-format'
import { useSearchChange } from '../../../lib/url/use-search-change'
import { PricesFilters } from './price-filters'
import type { PricesSearch } from './price-search'
import { PricesTable } from './prices-table'
import { usePriceWrites } from './price-data'

const PricePanel = lazy(async () => ({ default: (await import('./price-panel')).PricePanel }))
const PriceDrawer = lazy(async () => ({ default: (await import('./price-drawer')).PriceDrawer }))
const BulkDialog = lazy(async () => ({ default: (await import('./bulk-dialog')).BulkDialog }))
const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog')).ImportDialog }))

const route = getRouteApi('/admin/prices')

/** Sale prices of all models, beside list prices and channel costs. */
export function PricesPage() {
  const { t } = useTranslation('prices')
  const { number } = useFormat()
  const search = route.useSearch()
  const setSearch = useSearchChange<PricesSearch>(route.useNavigate())
  const mayWrite = useViewer().may('prices.write')
  const writes = usePriceWrites()
  const list = useList(search, setSearch, { sorts: priceRoutes.priceSorts, noFilters })
  const { page, size, sort, descending } = list.part
  const select = selectionOf(search)
  const prices = useEnvelope(priceRoutes.listPrices, {
    query: { ...select, p: page, page_size: size, sort, order: descending && 'desc' },
  })
  const { items, total } = prices.data?.data ?? {}
  const rows = useMemo(() => items?.map((row) => ({ ...row, id: row.model })), [items])
  const open = useCallback((model: string | undefined) => setSearch({ open: model }), [setSearch])
  const peek = usePeek(search.open, rows, open)
  const [bulk, setBulk] = useState<readonly string[] | undefined>()
  return (
    <>
      <PageHeader
        title={t('title')}
        count={total === undefined ? undefined : number(total)}
        description={t('description')}
      >
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/admin/settings" search={{ page: 'prices' }} {...props} />}
        >
          {t('ratioView')}
        </Button>
        <ExportMenu select={select} />
        {mayWrite && (
          <>
            <Button
              variant="default"
              leftSection={<IconUpload size={15} />}
              onClick={() => setSearch({ dialog: 'import' })}
            >
              {t('import.title')}
            </Button>
            <Button variant="default" leftSection={<IconAdjustments size={15} />} onClick={() => setBulk([])}>
              {t('bulk.title')}
            </Button>
          </>
        )}
      </PageHeader>
      <PriceTabs current="prices" />
      <ListWithPanel
        panel={
          search.open !== undefined && (
            <PricePanel
              model={search.open}
              writes={mayWrite ? writes : undefined}
              onEdit={(model) => setSearch({ edit: model })}
              {...peek.panel}
            />
          )
        }
      >
        <PricesTable
          rows={rows}
          prices={prices}
          list={list}
          writes={mayWrite ? writes : undefined}
          onBulk={setBulk}
          onEdit={(model) => setSearch({ edit: model })}
          peek={peek.table}
          filters={
            <PricesFilters
              search={search}
              onChange={list.filter}
              counts={prices.data?.envelopeFields.counts ?? {}}
              vendors={prices.data?.envelopeFields.vendors ?? {}}
            />
          }
        />
      </ListWithPanel>
      <Suspense>
        {writes.dialog}
        {search.edit !== undefined && (
          <PriceDrawer key={search.edit} model={search.edit} onClose={() => setSearch({ edit: undefined })} />
        )}
        {bulk && (
          <BulkDialog
            models={bulk}
            select={select}
            total={total ?? 0}
            onClose={(isSaved) => {
              setBulk(undefined)
              if (isSaved) list.selection.onChange(new Set())
            }}
          />
        )}
        {search.dialog === 'import' && <ImportDialog onClose={() => setSearch({ dialog: undefined })} />}
      </Suspense>
    </>
  )
}

const selectionOf = ({ keyword, filter, scope, vendor, kind }: PricesSearch): priceRoutes.PriceSelection => ({
  keyword,
  filter,
  scope,
  vendor,
  kind,
})

const noFilters = {
  keyword: undefined,
  filter: undefined,
  scope: undefined,
  vendor: undefined,
  kind: undefined,
}

/** Exports the operator's prices that match the filters. */
function ExportMenu({ select }: { readonly select: priceRoutes.PriceSelection }) {
  const { t } = useTranslation('prices')
  const csv = useDownload(priceRoutes.exportPricesCsv, { query: select }, 'prices.csv')
  const json = useDownload(priceRoutes.exportPricesJson, { query: { ...select, costs: 'true' } }, 'prices.json')
  return (
    <MenuButton
      label={t('export.title')}
      items={[
        { id: 'csv', label: t('export.csv'), onClick: csv.start },
        { id: 'json', label: t('export.json'), onClick: json.start },
      ]}
      trigger={(props) => (
        <Button
          variant="default"
          leftSection={<IconDownload size={15} />}
          loading={csv.isBusy || json.isBusy}
          {...props}
        >
          {t('export.title')}
        </Button>
      )}
    />
  )
}
