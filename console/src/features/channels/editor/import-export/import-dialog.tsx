import { Alert, Button, Group, Progress } from '@mantine/core'
import { channelRoutes, groupRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { SearchSelect } from '../../../../components/combobox/search-select'
import { ImportFrame, ImportText } from '../../../../components/dialogs/import-frame'
import { useTranslation } from '../../../../lib/text/i18n'
import { useRead } from '../../../../lib/api/query'
import { useFormat } from '../../../../lib/text/use-format'
import { recordsOf, rowsOf } from './import-rows'
import { ImportTable } from './import-table'
import { useImport } from './use-import'

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
  const ready = rows.filter(({ fault, place }) => !fault && !isCreated(run.results.get(place)))
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
          onKey={(place, key) => setKeys(new Map([...keys, [place, key]]))}
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
