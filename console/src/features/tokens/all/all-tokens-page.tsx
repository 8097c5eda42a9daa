import { getRouteApi } from '@tanstack/react-router'
import { tokenRoutes, tokenStatus } from '@tollgate/contract'

import { DataTable } from '../../../components/data-table/data-table'
import { sourceOf } from '../../../components/data-table/paging'
import { useList } from '../../../components/data-table/use-list'
import { PageHeader } from '../../../components/page/page-header'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'
import { useSearchChange } from '../../../lib/url/use-search-change'
import { AllTokenFilters } from './all-token-filters'
import { noFilters, type AllTokenSearch } from './all-token-search'
import { SwitchTokens } from './switch-tokens'
import { useAllTokenColumns } from './all-token-columns'

const route = getRouteApi('/admin/tokens')
const rowKey = ({ id }: tokenRoutes.AnyToken) => String(id)

/** The API tokens of all users below the reader. Their keys are nowhere shown. */
export function AllTokensPage() {
  const { t } = useTranslation('tokens')
  const search = route.useSearch()
  const setSearch = useSearchChange<AllTokenSearch>(route.useNavigate())
  const list = useList(search, setSearch, { sorts: tokenRoutes.anyTokenSortings, noFilters })
  const { page, size, sort, descending } = list.part
  const { keyword, username, status, group } = search
  const query = { p: page - 1, size, sort, descending, keyword, username, status, group }
  const tokens = useRead(tokenRoutes.listAllTokens, { query })
  const mayWrite = useViewer().may('users.write')
  return (
    <>
      <PageHeader title={t('all.title')} />
      <DataTable
        id="all-tokens"
        label={t('all.title')}
        columns={useAllTokenColumns()}
        rowKey={rowKey}
        source={sourceOf(tokens)}
        {...list.tableOf(tokens.data?.total)}
        isMuted={({ status }) => status !== tokenStatus.enabled}
        selection={
          mayWrite
            ? { ...list.selection, actions: (rows, clear) => <SwitchTokens tokens={rows} onDone={clear} /> }
            : undefined
        }
        empty={{ title: t('empty.title'), hint: t('all.emptyHint'), action: null }}
        toolbar={<AllTokenFilters search={search} onChange={list.filter} />}
      />
    </>
  )
}
