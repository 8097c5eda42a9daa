import { ActionIcon, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ApiResult, ApiError, priceRoutes } from '@tollgate/contract'
import { IconArrowBackUp, IconPencil } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { ConfirmButton } from '../../../components/dialogs/confirm-button'
import { DataTable } from '../../../components/data-table/data-table'
import type { useList } from '../../../components/data-table/use-list'
import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'
import type { PricesSearch } from './price-search'
import { usePriceColumns, type PriceRow } from './price-columns'
import type { PriceWrites } from './price-data'

interface PricesTableProps {
  readonly rows: readonly (PriceRow & { readonly id: string })[] | undefined
  readonly prices: {
    readonly data: ApiResult<typeof priceRoutes.listPrices> | undefined
    readonly isPending: boolean
    readonly isFetching: boolean
    readonly error: ApiError | null
    readonly refetch: () => Promise<unknown>
  }
  readonly list: ReturnType<typeof useList<PricesSearch, priceRoutes.PriceSort>>
  /** Undefined for readers without write access. */
  readonly writes: PriceWrites | undefined
  readonly onBulk: (models: readonly string[]) => void
  readonly onEdit: (model: string) => void
  readonly peek: { readonly openKey: string | undefined; readonly onOpen: (row: { readonly id: string }) => void }
  readonly filters: ReactNode
}

/** Prices, a row for each model, edited in place. */
export function PricesTable(props: PricesTableProps) {
  const { rows, prices, list, writes, onBulk, onEdit, peek, filters } = props
  const { t } = useTranslation('prices')
  return (
    <DataTable
      id="prices"
      label={t('title')}
      columns={usePriceColumns(writes)}
      rowKey={({ id }) => id}
      source={{
        rows,
        isPending: prices.isPending,
        isFetching: prices.isFetching,
        error: prices.error,
        onRetry: () => void prices.refetch(),
      }}
      {...list.tableOf(prices.data?.data.total)}
      selection={
        writes && {
          ...list.selection,
          actions: (picked, clear) => {
            const models = picked.map(({ model }) => model)
            const own = picked.filter((row) => row.own).map(({ model }) => model)
            return (
              <>
                <Button variant="default" onClick={() => onBulk(models)}>
                  {t('bulk.title')}
                </Button>
                <ConfirmButton
                  title={t('toList.title')}
                  question={t('toList.question', { count: own.length })}
                  confirmText={t('toList.title')}
                  disabled={own.length === 0}
                  onConfirm={() => void writes.listAll(own).then(clear, () => {})}
                >
                  {t('toList.title')}
                </ConfirmButton>
              </>
            )
          },
        }
      }
      rowActions={writes && ((row) => <RowActions row={row} writes={writes} onEdit={onEdit} />)}
      {...peek}
      empty={{
        title: t('empty.title'),
        hint: t('empty.hint'),
        action: (
          <Button renderRoot={(button) => <Link to="/admin/channels" search={{ edit: 'new' }} {...button} />}>
            {t('empty.addChannel')}
          </Button>
        ),
      }}
      toolbar={filters}
    />
  )
}

interface RowActionsProps {
  readonly row: PriceRow
  readonly writes: PriceWrites
  readonly onEdit: (model: string) => void
}

function RowActions({ row, writes, onEdit }: RowActionsProps) {
  const { t } = useTranslation('prices')
  return (
    <>
      {row.own && (
        <Tip label={t('toList.title')}>
          <ActionIcon
            aria-label={t('toList.of', { model: row.model })}
            onClick={() => void writes.toList(row).catch(() => {})}
          >
            <IconArrowBackUp size={16} />
          </ActionIcon>
        </Tip>
      )}
      <Tip label={t('edit')}>
        <ActionIcon aria-label={t('editOf', { model: row.model })} onClick={() => onEdit(row.model)}>
          <IconPencil size={16} />
        </ActionIcon>
      </Tip>
    </>
  )
}
