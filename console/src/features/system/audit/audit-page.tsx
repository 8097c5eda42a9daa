import { getRouteApi } from '@tanstack/react-router'
import { auditRoutes } from '@tollgate/contract'
import { lazy, useCallback } from 'react'

import { DataTable } from '../../../components/data-table/data-table'
import { sourceOf } from '../../../components/data-table/paging'
import { useList } from '../../../components/data-table/use-list'
import { ExportButton } from '../../../components/export-button'
import { ListWithPanel } from '../../../components/peek/list-with-panel'
import { PageHeader } from '../../../components/page/page-header'
import { usePeek } from '../../../components/peek/use-peek'
import { useTranslation } from '../../../lib/text/i18n'
import { useSearchChange } from '../../../lib/url/use-search-change'
import { AuditFilters } from './audit-filters'
import { useAudit, useOpenEntry, filterOf, noFilters } from './audit-data'
import type { AuditSearch } from './audit-search'
import { useAuditColumns } from './audit-columns'

const AuditPanel = lazy(async () => ({ default: (await import('./audit-panel')).AuditPanel }))

const route = getRouteApi('/admin/audit')
const rowKey = ({ id }: auditRoutes.AuditEntity) => String(id)

/** The audit log, as far as the reader may see it. */
export function AuditPage() {
  const { t } = useTranslation('audit')
  const search = route.useSearch()
  const setSearch = useSearchChange<AuditSearch>(route.useNavigate())
  const list = useList(search, setSearch, { noFilters })
  const { page, size } = list.part
  const filter = filterOf(search, Date.now() / 1000)
  const acts = useAudit({ ...filter, p: page, page_size: size })
  const opened = useOpenEntry(search.open, acts.data?.items)
  const open = useCallback((id: number | undefined) => setSearch({ open: id }), [setSearch])
  const peek = usePeek(search.open, acts.data?.items, open)
  return (
    <>
      <PageHeader title={t('title')}>
        <ExportButton route={auditRoutes.exportAudit} sent={{ query: filter }} name="audit.csv" />
      </PageHeader>
      <ListWithPanel panel={search.open !== undefined && <AuditPanel {...opened} {...peek.panel} />}>
        <DataTable
          id="audit"
          label={t('title')}
          columns={useAuditColumns()}
          rowKey={rowKey}
          source={sourceOf(acts)}
          {...list.tableOf(acts.data?.total, acts.data?.total_is_lower_bound)}
          {...peek.table}
          empty={{ title: t('empty.title'), hint: t('empty.hint'), action: null }}
          toolbar={<AuditFilters search={search} onChange={list.filter} />}
        />
      </ListWithPanel>
    </>
  )
}
