import { Table, Text, TextInput } from '@mantine/core'

import { StatusBadge } from '../../../../components/status-badge'
import { useTranslation } from '../../../../lib/text/i18n'
import { listOf } from '../channel-form'
import type { ImportRow } from './import-rows'
import type { RowResult } from './use-import'

interface ImportTableProps {
  readonly rows: readonly ImportRow[]
  readonly results: ReadonlyMap<number, RowResult>
  readonly keys: ReadonlyMap<number, string>
  readonly onKey: (place: number, key: string) => void
  readonly isLocked: boolean
}

/** A preview of each row, and later its result. */
export function ImportTable({ rows, results, keys, onKey, isLocked }: ImportTableProps) {
  const { t } = useTranslation('channel-editor')
  return (
    <Table.ScrollContainer minWidth={560} mah={320}>
      <Table
        verticalSpacing={6}
        horizontalSpacing={8}
        stickyHeader
        styles={{ th: { whiteSpace: 'nowrap' }, td: { verticalAlign: 'top' } }}
      >
        <Table.Thead>
          <Table.Tr>
            {(['place', 'name', 'state', 'address', 'models'] as const).map((column) => (
              <Table.Th key={column}>{t(`import.${column}`)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.place}>
              <Table.Td className="figures">{row.place}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{row.name}</Table.Td>
              <Table.Td miw={170}>
                <RowState row={row} result={results.get(row.place)} />
                {(row.fault === 'key' || keys.has(row.place)) && (
                  <TextInput
                    size="xs"
                    mt={4}
                    aria-label={t('import.key', { place: row.place })}
                    placeholder={t('import.keyPlaceholder')}
                    autoComplete="off"
                    disabled={isLocked}
                    value={keys.get(row.place) ?? ''}
                    onChange={(event) => onKey(row.place, event.currentTarget.value)}
                  />
                )}
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{row.channel.base_url}</Table.Td>
              <Table.Td className="figures">{listOf(row.channel.models ?? '').length}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function RowState({ row, result }: { readonly row: ImportRow; readonly result: RowResult | undefined }) {
  const { t } = useTranslation('channel-editor')
  if (result && 'id' in result) return <StatusBadge tone="good">{t('import.created', { id: result.id })}</StatusBadge>
  if (result) return <Problem label={t('import.failed')} reason={result.error.message} />
  if (row.fault) return <Problem label={t('import.invalid')} reason={t(`import.fault.${row.fault}`)} />
  return <StatusBadge tone="accent">{t('import.new')}</StatusBadge>
}

function Problem({ label, reason }: { readonly label: string; readonly reason: string }) {
  return (
    <>
      <StatusBadge tone="bad">{label}</StatusBadge>
      <Text size="xs" mt={2} style={{ overflowWrap: 'anywhere' }}>
        {reason}
      </Text>
    </>
  )
}
