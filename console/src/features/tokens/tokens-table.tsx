import { Button } from '@mantine/core'
import { tokenRoutes, tokenStatus } from '@tollgate/contract'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'

import { DataTable } from '../../components/data-table/data-table'
import { sourceOf } from '../../components/data-table/paging'
import { useList } from '../../components/data-table/use-list'
import { useTranslation } from '../../lib/text/i18n'
import { TokenActions } from './token-actions'
import { useTokenColumns } from './token-columns'
import { TokenFilters } from './token-filters'
import { noFilters, type TokenSearch } from './token-search'
import { useTokens, tokenReads } from './token-data'
import { ConfirmButton } from '../../components/dialogs/confirm-button'
import { call } from '../../lib/api/api'
import { useRun } from '../../lib/api/run-each'

type Token = tokenRoutes.TokenEntity

const RunDialog = lazy(async () => ({ default: (await import('../../components/dialogs/run-dialog')).RunDialog }))

interface TokensTableProps {
  readonly search: TokenSearch
  readonly setSearch: (change: Partial<TokenSearch>) => void
  /** Opens a token's connection: key, snippets, a first call. */
  readonly onConnect: (token: Token) => void
  readonly onRotate: (token: Token) => void
}

const rowKey = ({ id }: Token) => String(id)

/** The reader's tokens, newest first. */
export function TokensTable({ search, setSearch, onConnect, onRotate }: TokensTableProps) {
  const { t } = useTranslation('tokens')
  const columns = useTokenColumns()
  const list = useList(search, setSearch, { sorts: tokenRoutes.tokenSortings, noFilters })
  const tokens = useTokens(search, list.part)
  const { run, start, close } = useRuns()
  return (
    <>
      <DataTable
        id="tokens"
        label={t('title')}
        columns={columns}
        rowKey={rowKey}
        source={sourceOf(tokens)}
        {...list.tableOf(tokens.data?.total)}
        isMuted={({ status }) => status !== tokenStatus.enabled}
        selection={{
          ...list.selection,
          actions: (rows, clear) => (
            <BulkActions
              tokens={rows}
              onRun={(kind) => {
                clear()
                start(kind, rows)
              }}
            />
          ),
        }}
        rowActions={(row) => (
          <TokenActions
            token={row}
            onEdit={() => setSearch({ edit: String(row.id) })}
            onConnect={() => onConnect(row)}
            onRotate={() => onRotate(row)}
            onLimits={() => setSearch({ limits: row.id })}
          />
        )}
        empty={{
          title: t('empty.title'),
          hint: t('empty.hint'),
          action: (
            <Button variant="default" leftSection={<IconPlus size={14} />} onClick={() => setSearch({ edit: 'new' })}>
              {t('create')}
            </Button>
          ),
        }}
        toolbar={<TokenFilters search={search} onChange={list.filter} />}
      />
      {run && (
        <Suspense>
          <RunDialog title={t(`bulk.title.${run.kind}`)} {...run} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

interface BulkActionsProps {
  readonly tokens: readonly Token[]
  readonly onRun: (kind: RunKind) => void
}

/** Actions for the selected tokens. */
function BulkActions({ tokens, onRun }: BulkActionsProps) {
  const { t } = useTranslation('tokens')
  const count = tokens.length
  return (
    <>
      <Button variant="default" onClick={() => onRun('enable')}>
        {t('action.enable')}
      </Button>
      <Button variant="default" onClick={() => onRun('disable')}>
        {t('action.disable')}
      </Button>
      <ConfirmButton
        color="red"
        variant="light"
        title={t('bulk.deleteTitle', { count })}
        question={t('delete.question')}
        confirmText={t('action.delete')}
        onConfirm={() => onRun('delete')}
      >
        {t('action.delete')}
      </ConfirmButton>
    </>
  )
}

type RunKind = 'enable' | 'disable' | 'delete'

const setStatus = (id: number, status: number) =>
  call(tokenRoutes.updateToken, { query: { status_only: true }, body: { id, status } })

const works: Record<RunKind, (token: Token) => Promise<unknown>> = {
  enable: ({ id }) => setStatus(id, tokenStatus.enabled),
  disable: ({ id }) => setStatus(id, tokenStatus.disabled),
  delete: ({ id }) => call(tokenRoutes.deleteToken, { params: { id } }),
}

/** Bulk operations on tokens. */
function useRuns() {
  const { t } = useTranslation('tokens')
  return useRun({ works, reads: tokenReads, doneText: (kind, count) => t(`bulk.done.${kind}`, { count }) })
}
