import { ActionIcon, Button } from '@mantine/core'
import { IconGauge } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { tokenRoutes, tokenStatus } from '@tollgate/contract'
import { lazy, Suspense } from 'react'

import { DataTable } from '../../../components/data-table/data-table'
import { sourceOf } from '../../../components/data-table/paging'
import { useList } from '../../../components/data-table/use-list'
import { PageHeader } from '../../../components/page/page-header'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead, useWrite } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'
import { useSearchChange } from '../../../lib/url/use-search-change'
import { AllTokenFilters } from './all-token-filters'
import { type AllTokenSearch, noFilters } from './all-token-search'
import { useAllTokenColumns } from './all-token-columns'
import { ConfirmButton } from '../../../components/dialogs/confirm-button'
import { Tip } from '../../../components/tip'
import { useStandings } from '../../../domain/limits/standings-data'
import { notifySuccess } from '../../../lib/browser/notify'

const LimitsDrawer = lazy(async () => ({
  default: (await import('../../../domain/limits/limits-drawer')).LimitsDrawer,
}))

const route = getRouteApi('/admin/tokens')
const rowKey = ({ id }: tokenRoutes.AnyToken) => String(id)

/** The API tokens of all users below the reader. Their keys are nowhere shown. */
export function AllTokensPage() {
  const { t } = useTranslation('tokens')
  const search = route.useSearch()
  const setSearch = useSearchChange<AllTokenSearch>(route.useNavigate())
  const list = useList(search, setSearch, { sorts: tokenRoutes.anyTokenSortings, noFilters })
  const { page, size, sort, descending } = list.part
  const { keyword, username, status, group, near, limits } = search
  const query = { p: page - 1, size, sort, descending, keyword, username, status, group, near_limit: near }
  const tokens = useRead(tokenRoutes.listAllTokens, { query })
  const mayWrite = useViewer().may('users.write')
  return (
    <>
      <PageHeader title={t('all.title')} />
      <DataTable
        id="all-tokens"
        label={t('all.title')}
        columns={useAllTokenColumns(useStandings('token', tokens.data?.items))}
        rowKey={rowKey}
        source={sourceOf(tokens)}
        {...list.tableOf(tokens.data?.total)}
        isMuted={({ status }) => status !== tokenStatus.enabled}
        selection={
          mayWrite
            ? { ...list.selection, actions: (rows, clear) => <SwitchTokens tokens={rows} onDone={clear} /> }
            : undefined
        }
        rowActions={({ id }) => (
          <Tip label={t('action.limits')}>
            <ActionIcon aria-label={t('action.limits')} onClick={() => setSearch({ limits: id })}>
              <IconGauge size={16} />
            </ActionIcon>
          </Tip>
        )}
        empty={{ title: t('empty.title'), hint: t('all.emptyHint'), action: null }}
        toolbar={<AllTokenFilters search={search} onChange={list.filter} />}
      />
      {limits !== undefined && (
        <Suspense>
          <LimitsDrawer
            key={limits}
            owner={{ owner: 'token', ref: String(limits), name: nameOf(limits, tokens.data?.items) }}
            isReadOnly={!mayWrite}
            onClose={() => setSearch({ limits: undefined })}
          />
        </Suspense>
      )}
    </>
  )
}

/** Returns the name of a token; a link may lead to one that is not on the page. */
const nameOf = (id: number, tokens: readonly tokenRoutes.AnyToken[] = []) =>
  tokens.find((token) => token.id === id)?.name ?? `#${id}`

interface SwitchTokensProps {
  readonly tokens: readonly tokenRoutes.AnyToken[]
  readonly onDone: () => void
}

/** Disables the selected tokens, or enables them again. */
function SwitchTokens({ tokens, onDone }: SwitchTokensProps) {
  const { t } = useTranslation('tokens')
  const write = useWrite(tokenRoutes.switchTokens, { changes: [tokenRoutes.listAllTokens] })
  const set = (name: 'enable' | 'disable', status: 1 | 2) =>
    write.mutate(
      { body: { ids: tokens.map(({ id }) => id), status } },
      {
        onSuccess: (count) => {
          notifySuccess(t(`bulk.done.${name}`, { count }))
          onDone()
        },
      },
    )
  return (
    <>
      <Button variant="default" loading={write.isPending} onClick={() => set('enable', tokenStatus.enabled)}>
        {t('action.enable')}
      </Button>
      <ConfirmButton
        color="red"
        variant="light"
        loading={write.isPending}
        title={t('all.disableTitle', { count: tokens.length })}
        question={t('all.disableQuestion')}
        confirmText={t('action.disable')}
        onConfirm={() => set('disable', tokenStatus.disabled)}
      >
        {t('action.disable')}
      </ConfirmButton>
    </>
  )
}
