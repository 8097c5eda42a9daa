import { Alert, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import { priceRoutes, type ClassPrices, type PriceClass, type RouteSent } from '@tollgate/contract'
import { useState } from 'react'

import { DollarInput } from '../../../components/fields/dollar-input'
import { FocusBack } from '../../../components/focus-back'
import { FormFailure } from '../../../components/dialogs/form-failure'
import { ToggleButtons } from './toggle-buttons'
import { usePriceText } from '../../../domain/price/use-price-text'
import { useIsPhone } from '../../../lib/browser/breakpoints'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useWrite } from '../../../lib/api/query'
import { ChangesTable, PreviewActions } from './changes-preview'
import { FactorInput } from './fields/factor-input'
import { priceReads } from './price-data'

interface BulkDialogProps {
  /** The selected models; empty: only all that match the filters. */
  readonly models: readonly string[]
  readonly select: priceRoutes.PriceSelection
  /** Number of models that match the filters. */
  readonly total: number
  readonly onClose: (isSaved: boolean) => void
}

type PriceMode = 'list' | 'cost' | 'current' | 'set'
type Body = RouteSent<typeof priceRoutes.bulkPrices>['body']

const modes = ['list', 'cost', 'current', 'set'] as const
const chosenClasses = ['input', 'output', 'cache_read', 'cache_write_5m', 'cache_write_1h', 'per_call'] as const

/** Changes many prices at once after a preview. */
export function BulkDialog({ models, select, total, onClose }: BulkDialogProps) {
  const { t } = useTranslation('prices')
  const isPhone = useIsPhone()
  const [isAll, setAll] = useState(models.length === 0)
  const [mode, setMode] = useState<PriceMode>('list')
  const [factor, setFactor] = useState<number | string>(1.2)
  const [only, setOnly] = useState<PriceClass[]>([])
  const [set, setSet] = useState<ClassPrices>({})
  const preview = useWrite(priceRoutes.bulkPrices, { onError: () => {} })
  const save = useWrite(priceRoutes.bulkPrices, {
    changes: priceReads,
    onError: () => {},
    onSuccess: ({ total: count }) => {
      notifySuccess(t('done.bulk', { count }))
      onClose(true)
    },
  })
  const isComplete = mode === 'set' ? Object.keys(set).length > 0 : factor !== '' && Number(factor) >= 0
  const body: Omit<Body, 'preview'> = {
    ...(isAll ? { select } : { models: [...models] }),
    ...(mode === 'set' ? { set } : { base: mode, factor: Number(factor), ...(only.length > 0 && { classes: only }) }),
  }
  // The preview must match what is saved.
  const withPreviewReset =
    <Value,>(change: (value: Value) => void) =>
    (value: Value) => {
      change(value)
      preview.reset()
      save.reset()
    }
  const found = preview.data
  return (
    <Modal
      opened
      onClose={() => !save.isPending && onClose(false)}
      title={t('bulk.title')}
      size={760}
      fullScreen={isPhone}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      <Stack gap="md">
        {models.length > 0 && total > models.length && (
          <SegmentedControl
            aria-label={t('bulk.which')}
            data={[
              { value: 'picked', label: t('bulk.picked', { count: models.length }) },
              { value: 'all', label: t('bulk.all', { count: total }) },
            ]}
            value={isAll ? 'all' : 'picked'}
            onChange={withPreviewReset((value) => setAll(value === 'all'))}
          />
        )}
        <SegmentedControl
          aria-label={t('bulk.way')}
          orientation={isPhone ? 'vertical' : 'horizontal'}
          fullWidth
          data={modes.map((value) => ({ value, label: t(`bulk.ways.${value}`) }))}
          value={mode}
          onChange={withPreviewReset((value: PriceMode) => setMode(value))}
        />
        {mode === 'set' ? (
          <SetFields prices={set} onChange={withPreviewReset(setSet)} />
        ) : (
          <FactorFields
            factor={factor}
            onFactor={withPreviewReset(setFactor)}
            only={only}
            onOnly={withPreviewReset(setOnly)}
            hint={t(`bulk.hints.${mode}`)}
          />
        )}
        <FormFailure error={preview.error ?? save.error ?? undefined} />
        {found && found.total === 0 && <Alert>{t('bulk.nothing')}</Alert>}
        {found && found.total > 0 && <ChangesTable changes={found.changes} total={found.total} />}
        {found && found.skipped.length > 0 && (
          <Text size="sm" c="dimmed">
            {t('bulk.skipped', { count: found.skipped.length, models: someOf(found.skipped) })}
          </Text>
        )}
        <PreviewActions
          isComplete={isComplete}
          found={found?.total ?? null}
          preview={{
            isPending: preview.isPending,
            run: () => preview.mutate({ body: { ...body, preview: true } }),
          }}
          save={{ isPending: save.isPending, run: () => save.mutate({ body: { ...body, preview: false } }) }}
          onCancel={() => onClose(false)}
        />
      </Stack>
    </Modal>
  )
}

const maxNamed = 10
const someOf = (names: readonly string[]) => names.slice(0, maxNamed).join(', ') + (names.length > maxNamed ? ' …' : '')

interface FactorFieldsProps {
  readonly factor: number | string
  readonly onFactor: (factor: number | string) => void
  readonly only: PriceClass[]
  readonly onOnly: (only: PriceClass[]) => void
  readonly hint: string
}

function FactorFields({ factor, onFactor, only, onOnly, hint }: FactorFieldsProps) {
  const { t } = useTranslation('prices')
  const { className } = usePriceText()
  return (
    <>
      <FactorInput description={hint} w={200} value={factor} onChange={onFactor} data-autofocus />
      <div>
        <Text size="sm" fw={600} mb={4}>
          {t('bulk.only')}
        </Text>
        <ToggleButtons
          label={t('bulk.only')}
          choices={chosenClasses.map((value) => ({ value, label: className(value) }))}
          chosen={chosenClasses.filter((name) => only.includes(name))}
          onChange={onOnly}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {t('bulk.onlyHint')}
        </Text>
      </div>
    </>
  )
}

interface SetFieldsProps {
  readonly prices: ClassPrices
  readonly onChange: (prices: ClassPrices) => void
}

/** Prices for every model; empty ones stay unchanged. */
function SetFields({ prices, onChange }: SetFieldsProps) {
  const { t } = useTranslation('prices')
  const { className, per } = usePriceText()
  return (
    <div>
      <Group gap="sm" align="flex-end">
        {chosenClasses.map((name) => (
          <DollarInput
            key={name}
            w={136}
            size="xs"
            label={[className(name), per(name)].filter(Boolean).join(' ')}
            value={prices[name] ?? ''}
            onChange={(value) => {
              const { [name]: _, ...others } = prices
              onChange(value === '' ? others : { ...others, [name]: Number(value) })
            }}
          />
        ))}
      </Group>
      <Text size="xs" c="dimmed" mt={6}>
        {t('bulk.setHint')}
      </Text>
    </div>
  )
}
