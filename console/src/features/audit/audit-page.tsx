import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { auditRoutes } from '@tollgate/contract'
import { lazy, Suspense, useCallback, useMemo } from 'react'

import { DataTable } from '../../components/data-table/data-table'
import { sourceOf } from '../../components/data-table/source-of'
import { usePage } from '../../components/data-table/use-page'
import { PageHeader } from '../../components/page-header'
import { focusRow, usePeekSteps } from '../../components/use-peek-steps'
import { useTranslation } from '../../lib/i18n'
import { useRead } from '../../lib/query'
import { AuditFilters } from './audit-filters'
import { filterOf, noFilters } from './audit-query'
import type { AuditSearch } from './audit-search'
import classes from './audit.module.css'
import { useAuditColumns } from './use-audit-columns'
import { useExportAudit } from './use-export-audit'

const AuditPanel = lazy(async () => ({ default: (await import('./audit-panel')).AuditPanel }))

const route = getRouteApi('/admin/audit')
const rowKey = ({ id }: auditRoutes.AuditEntity) => String(id)

/** Who did what in the console, as far as the reader may know. */
export function AuditPage() {
  const { t } = useTranslation('audit')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = useCallback(
    (change: Partial<AuditSearch>) => void navigate({ search: (current) => ({ ...current, ...change }) }),
    [navigate],
  )
  const paging = usePage(search, setSearch)
  const filter = filterOf(search, Date.now() / 1000)
  const list = useRead(auditRoutes.listAudit, { query: { ...filter, p: paging.page, page_size: paging.size } })
  const rows = list.data?.items
  const open = useCallback((id: number | undefined) => setSearch({ open: id }), [setSearch])
  const ids = useMemo(() => rows?.map(({ id }) => id), [rows])
  const steps = usePeekSteps(search.open, ids, open)
  const opened = rows?.find(({ id }) => id === search.open)
  const { isBusy, start: startExport } = useExportAudit(filter)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <>
      <PageHeader title={t('title')}>
        <Button
          variant="default"
          leftSection={<IconDownload size={15} />}
          loading={isBusy}
          onClick={() => void startExport()}
        >
          {t('export')}
        </Button>
      </PageHeader>
      <div className={classes.beside}>
        <div className={classes.list}>
          <DataTable
            id="audit"
            label={t('title')}
            columns={useAuditColumns()}
            rowKey={rowKey}
            source={sourceOf(list)}
            paging={{
              ...paging,
              total: list.data?.total ?? 0,
              isTotalCapped: list.data?.total_is_lower_bound,
            }}
            openKey={search.open === undefined ? undefined : String(search.open)}
            onOpen={({ id }) => open(id === search.open ? undefined : id)}
            empty={{ title: t('empty.title'), hint: t('empty.hint'), action: null }}
            onClearFilters={isFiltered ? () => setSearch(noFilters) : undefined}
            toolbar={<AuditFilters search={search} onChange={(change) => setSearch({ ...change, page: undefined })} />}
          />
        </div>
        <Suspense>
          {opened && (
            <AuditPanel
              row={opened}
              {...steps}
              onClose={() => {
                focusRow(opened.id)
                open(undefined)
              }}
            />
          )}
        </Suspense>
      </div>
    </>
  )
}
