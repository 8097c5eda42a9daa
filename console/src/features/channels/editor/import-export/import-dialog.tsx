import { Alert, Button, Group, Progress, Table, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { channelRoutes, groupRoutes } from '@tollgate/contract'

import { SearchSelect } from '../../../../components/combobox/search-select'
import { ImportFrame, ImportText } from '../../../../components/dialogs/import-frame'
import { useTranslation } from '../../../../lib/text/i18n'
import { useRead } from '../../../../lib/api/query'
import { useFormat } from '../../../../lib/text/use-format'
import { type ImportRow, recordsOf, rowsOf } from './import-rows'
import { type RowResult, useImport } from './use-import'
import { StatusBadge } from '../../../../components/status-badge'
import { listOf } from '../channel-form'

interface ImportDialogProps {
  readonly onClose: () => void
}

/** Creates many channels from a file or pasted lines after a preview of each row. */
export function ImportDialog({ onClose }: ImportDialogProps) {
  const { t } = useTranslation('channel-editor')
  const { language } = useFormat()
  const vendors = useRead(channelRoutes.channelTypes, undefined, { staleTime: 300_000 })
  const groups = useRead(groupRoutes.listGroups)
  const [text, setText] = useState('')
  const [type, setType] = useState<number | undefined>()
  const [keys, setKeys] = useState<ReadonlyMap<number, string>>(new Map())
  const run = useImport()
  const records = recordsOf(text)
  const types = new Set((vendors.data ?? []).map((vendor) => vendor.type))
  const rows = rowsOf(records ?? [], { types, groups: new Set(groups.data), type, keys })
  const ready = rows.filter(({ fault, position: index }) => !fault && !isCreated(run.results.get(index)))
  const isStarted = run.results.size > 0 || run.isRunning
  const write = (next: string) => {
    setText(next)
    setKeys(new Map())
  }
  return (
    <ImportFrame
      title={t('import.title')}
      hint={t('import.hint')}
      hasText={text !== ''}
      isRunning={run.isRunning}
      onClose={onClose}
    >
      <ImportText
        label={t('import.text')}
        fileLabel={t('import.file')}
        example={'name,base_url,key,models,group\nMain,https://api.example.com,sk-…,model-a;model-b,default'}
        value={text}
        onChange={write}
        isDisabled={isStarted}
      >
        <SearchSelect
          size="xs"
          w={260}
          aria-label={t('import.type')}
          placeholder={t('import.type')}
          choices={(vendors.data ?? []).map((vendor) => ({
            value: String(vendor.type),
            label: vendor.name[language],
          }))}
          value={type === undefined ? null : String(type)}
          onChange={(next) => setType(next === null ? undefined : Number(next))}
          isClearable
          disabled={isStarted}
        />
      </ImportText>
      {!records && <Alert color="red">{t('import.unreadable')}</Alert>}
      {rows.length > 0 && (
        <ImportTable
          rows={rows}
          results={run.results}
          keys={keys}
          onKey={(index, key) => setKeys(new Map([...keys, [index, key]]))}
          isLocked={isStarted}
        />
      )}
      {run.isRunning && (
        <Progress
          value={(run.results.size / Math.max(1, run.results.size + ready.length)) * 100}
          aria-label={t('import.progress')}
        />
      )}
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={run.isRunning ? run.stop : onClose}>
          {t(run.isRunning ? 'import.stop' : isStarted ? 'common:close' : 'common:cancel')}
        </Button>
        <Button disabled={ready.length === 0} loading={run.isRunning} onClick={() => void run.start(ready)}>
          {t('import.start', { count: ready.length })}
        </Button>
      </Group>
    </ImportFrame>
  )
}

const isCreated = (result: object | undefined): boolean => result !== undefined && 'id' in result

interface ImportTableProps {
  readonly rows: readonly ImportRow[]
  readonly results: ReadonlyMap<number, RowResult>
  readonly keys: ReadonlyMap<number, string>
  readonly onKey: (index: number, key: string) => void
  readonly isLocked: boolean
}

/** A preview of each row, and later its result. */
function ImportTable({ rows, results, keys, onKey, isLocked }: ImportTableProps) {
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
            <Table.Tr key={row.position}>
              <Table.Td className="figures">{row.position}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{row.name}</Table.Td>
              <Table.Td miw={170}>
                <RowState row={row} result={results.get(row.position)} />
                {(row.fault === 'key' || keys.has(row.position)) && (
                  <TextInput
                    size="xs"
                    mt={4}
                    aria-label={t('import.key', { place: row.position })}
                    placeholder={t('import.keyPlaceholder')}
                    autoComplete="off"
                    disabled={isLocked}
                    value={keys.get(row.position) ?? ''}
                    onChange={(event) => onKey(row.position, event.currentTarget.value)}
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
