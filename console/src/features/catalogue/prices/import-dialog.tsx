import { Alert, Table } from '@mantine/core'
import { priceRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { ImportFrame, ImportText } from '../../../components/dialogs/import-frame'
import { FormFailure } from '../../../components/dialogs/form-failure'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useWrite } from '../../../lib/api/query'
import { ChangesTable, PreviewActions } from './changes-preview'
import classes from './prices.module.css'
import { priceReads } from './price-data'

interface ImportDialogProps {
  readonly onClose: () => void
}

/** Imports the operator's prices from a file after a preview of changes and invalid lines. */
export function ImportDialog({ onClose }: ImportDialogProps) {
  const { t } = useTranslation('prices')
  const [text, setText] = useState('')
  const preview = useWrite(priceRoutes.importPrices, { onError: () => {} })
  const save = useWrite(priceRoutes.importPrices, {
    changes: [...priceReads, priceRoutes.listCosts],
    onError: () => {},
    onSuccess: ({ total }) => {
      notifySuccess(t('done.bulk', { count: total }))
      onClose()
    },
  })
  const write = (next: string) => {
    setText(next)
    preview.reset()
    save.reset()
  }
  const body = { format: formatOf(text), text }
  const found = preview.data
  return (
    <ImportFrame
      title={t('import.title')}
      hint={t('import.hint')}
      hasText={text !== ''}
      isRunning={save.isPending}
      onClose={onClose}
    >
      <ImportText
        label={t('import.text')}
        fileLabel={t('import.file')}
        example={'{ "prices": [{ "model": "gpt-4o", "entry": { "prices": { "input": 3, "output": 12 } } }] }'}
        value={text}
        onChange={write}
      />
      <FormFailure error={preview.error ?? save.error ?? undefined} />
      {found && found.errors.length > 0 && <Errors errors={found.errors} />}
      {found && found.total === 0 && found.errors.length === 0 && <Alert>{t('bulk.nothing')}</Alert>}
      {found && found.changes.length > 0 && <ChangesTable changes={found.changes} total={found.total} />}
      {found && found.changes.length === 0 && found.total > 0 && (
        <Alert>{t('import.costsOnly', { count: found.total })}</Alert>
      )}
      <PreviewActions
        isComplete={text.trim() !== ''}
        found={found && found.errors.length === 0 ? found.total : null}
        preview={{
          isPending: preview.isPending,
          run: () => preview.mutate({ body: { ...body, preview: true } }),
        }}
        save={{ isPending: save.isPending, run: () => save.mutate({ body: { ...body, preview: false } }) }}
        onCancel={onClose}
      />
    </ImportFrame>
  )
}

const formatOf = (text: string) => (/^\s*[{[]/.test(text) ? ('json' as const) : ('csv' as const))

interface ErrorsProps {
  readonly errors: readonly { readonly line: number; readonly model: string; readonly reason: string }[]
}

function Errors({ errors }: ErrorsProps) {
  const { t } = useTranslation('prices')
  return (
    <Alert color="red" title={t('import.errors', { count: errors.length })} role="alert">
      <div className={classes.errors} role="region" aria-label={t('import.reason')} tabIndex={0}>
        <Table fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('import.line')}</Table.Th>
              <Table.Th>{t('column.model')}</Table.Th>
              <Table.Th>{t('import.reason')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {errors.map(({ line, model, reason }, index) => (
              <Table.Tr key={index}>
                <Table.Td className="figures">{line}</Table.Td>
                <Table.Td>{model}</Table.Td>
                <Table.Td>{reason}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Alert>
  )
}
