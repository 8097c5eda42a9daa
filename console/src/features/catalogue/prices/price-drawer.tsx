import { Alert, Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { priceRoutes, type ApiError } from '@tollgate/contract'
import { inPrices } from '@tollgate/contract/price-formula'
import { useState } from 'react'

import { FormDrawer, LoadedDrawer } from '../../../components/dialogs/form-drawer'
import { FormFailure } from '../../../components/dialogs/form-failure'
import { PanelTabs } from '../../../components/panel-tabs'
import { EntryCalculator } from '../../../domain/price/entry-calculator'
import { toApiError } from '../../../lib/api/api'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'
import { entryFaults, entryFields, entryOfFields, secondsNotice, type EntryFields } from './entry-form'
import { ClassFields } from './fields/class-fields'
import { ModesFields } from './fields/modes-fields'
import { SchedulesFields } from './fields/schedules-fields'
import { TiersFields } from './fields/tiers-fields'
import { minimalEntry } from './own-entry'
import { usePriceWrites } from './price-data'

interface PriceDrawerProps {
  readonly model: string
  readonly onClose: () => void
}

/** The complete price entry of a model: prices, tiers, modes and hours, with a calculator. */
export function PriceDrawer({ model, onClose }: PriceDrawerProps) {
  const { t } = useTranslation('prices')
  const read = useRead(priceRoutes.getPrice, { query: { model } }, { staleTime: 0 })
  return (
    <LoadedDrawer title={t('drawer.title', { model })} read={read} onClose={onClose}>
      {(row) => <EntryDrawer row={row} onClose={onClose} />}
    </LoadedDrawer>
  )
}

interface EntryDrawerProps {
  readonly row: priceRoutes.PriceRow
  readonly onClose: () => void
}

function EntryDrawer({ row, onClose }: EntryDrawerProps) {
  const { t } = useTranslation('prices')
  const writes = usePriceWrites({ isQuiet: true })
  const mayWrite = useViewer().may('prices.write')
  const [failure, setFailure] = useState<ApiError | undefined>()
  const form = useForm<EntryFields>({
    initialValues: entryFields(row.sale && inPrices(row.sale)),
    validate: (values) =>
      Object.fromEntries(Object.entries(entryFaults(values)).map(([path, fault]) => [path, t(`fault.${fault}`)])),
    validateInputOnBlur: true,
  })
  const entry = entryOfFields(form.values)
  const list = row.list && inPrices(row.list)
  const save = form.onSubmit(async (values) => {
    setFailure(undefined)
    try {
      if (await writes.replace(row, minimalEntry(entryOfFields(values), row.list))) onClose()
    } catch (error) {
      setFailure(toApiError(error))
    }
  })
  const faults = Object.keys(form.errors)
  const seconds = secondsNotice(form.values)
  const markFaults = (name: string, label: string) =>
    faults.some((path) => path.startsWith(`${name}.`)) ? `${label} •` : label
  const labelOf = (name: 'tiers' | 'modes' | 'schedules') => {
    const label = t(`drawer.${name}`)
    const { length } = form.values[name]
    return markFaults(name, length > 0 ? `${label} ${length}` : label)
  }
  return (
    <FormDrawer
      isOpen
      title={t('drawer.title', { model: row.model })}
      width={760}
      isDirty={form.isDirty()}
      isSaving={writes.isSaving}
      isReadOnly={!mayWrite}
      onSave={() => save()}
      onClose={onClose}
      footer={
        list &&
        mayWrite && (
          <Button variant="subtle" size="sm" mr="auto" onClick={() => form.setValues(entryFields(list))}>
            {t('drawer.fillList')}
          </Button>
        )
      }
    >
      {writes.dialog}
      <Text size="sm" c="dimmed">
        {t('drawer.hint')}
      </Text>
      <PanelTabs
        tabs={[
          {
            name: 'prices',
            label: markFaults('prices', t('drawer.prices')),
            panel: <ClassFields form={form} path="prices" list={list?.prices} />,
          },
          {
            name: 'tiers',
            label: labelOf('tiers'),
            panel: <TiersFields form={form} path="tiers" tiers={form.values.tiers} />,
          },
          { name: 'modes', label: labelOf('modes'), panel: <ModesFields form={form} /> },
          { name: 'schedules', label: labelOf('schedules'), panel: <SchedulesFields form={form} /> },
        ]}
      />
      {faults.length > 0 && (
        <Stack gap={2} role="alert">
          {[...new Set(Object.values(entryFaults(form.values)))].map((fault) => (
            <Text key={fault} size="sm" c="var(--mantine-color-error)">
              {t(`fault.${fault}`)}
            </Text>
          ))}
        </Stack>
      )}
      {seconds && <Alert color="yellow">{t(`drawer.seconds.${seconds}`)}</Alert>}
      <FormFailure error={failure} />
      <EntryCalculator entry={entry} />
    </FormDrawer>
  )
}
