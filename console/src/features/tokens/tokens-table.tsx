import { Button } from '@mantine/core'
import { tokenRoutes, tokenStatus } from '@tollgate/contract'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { DataTable } from '../../components/data-table/data-table'
import { sourceOf } from '../../components/data-table/source-of'
import { usePage } from '../../components/data-table/use-page'
import { useTranslation } from '../../lib/i18n'
import { BulkActions } from './bulk-actions'
import { TokenActions } from './token-actions'
import { useTokenColumns } from './token-columns'
import { TokenFilters } from './token-filters'
import type { TokenSearch } from './token-search'
import { useRuns } from './use-runs'
import { useTokens } from './use-tokens'

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
const none: ReadonlySet<string> = new Set()

/** The reader's tokens, newest first. */
export function TokensTable({ search, setSearch, onConnect, onRotate }: TokensTableProps) {
  const { t } = useTranslation('tokens')
  const { keyword, status, group, sort, descending } = search
  const columns = useTokenColumns()
  const page = usePage(search, setSearch)
  const tokens = useTokens({ keyword, status, group, sort, descending, page: page.page, size: page.size })
  const [selected, setSelected] = useState(none)
  const { run, start, close } = useRuns()
  return (
    <>
      <DataTable
        id="tokens"
        label={t('title')}
        columns={columns}
        rowKey={rowKey}
        source={sourceOf(tokens)}
        paging={{
          ...page,
          total: tokens.data?.total ?? 0,
          onChange: (number, size) => {
            setSelected(none)
            page.onChange(number, size)
          },
        }}
        sorting={{
          column: sort ?? 'created',
          isDescending: sort === undefined || (descending ?? false),
          onChange: (column, isDescending) =>
            setSearch({
              sort: tokenRoutes.tokenSortings.find((name) => name === column),
              descending: isDescending || undefined,
              page: undefined,
            }),
        }}
        isMuted={({ status }) => status !== tokenStatus.enabled}
        selection={{
          selected,
          onChange: setSelected,
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
        onClearFilters={keyword || status || group ? () => setSearch(noFilters) : undefined}
        toolbar={
          <TokenFilters
            search={search}
            onChange={(change) => {
              setSelected(none)
              setSearch({ ...change, page: undefined })
            }}
          />
        }
      />
      {run && (
        <Suspense>
          <RunDialog title={t(`bulk.title.${run.kind}`)} {...run} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

const noFilters = { keyword: undefined, status: undefined, group: undefined, page: undefined }
