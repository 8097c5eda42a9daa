import { Button, Group, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { IconAlertTriangle } from '@tabler/icons-react'
import { channelRoutes } from '@tollgate/contract'

import { CopyButton } from '../../../../components/copy-button'
import { TagsField } from '../../../../components/fields/tags-field'
import { useTranslation } from '../../../../lib/text/i18n'
import { useRead } from '../../../../lib/api/query'
import type { ModelSource } from './model-picker'
import { isElsewhere, keysIn, type ProvenAddress } from '../channel-form'
import { PriceLine } from '../prices/price-line'
import type { ChannelFormState } from '../use-channel-form'

type Vendor = channelRoutes.ChannelType

const ModelPicker = lazy(async () => ({ default: (await import('./model-picker')).ModelPicker }))

interface ModelsFieldProps {
  readonly form: ChannelFormState
  readonly channelId: number | undefined
  readonly vendor: Vendor | undefined
  /** Called with the address from which the list has come. */
  readonly onListed: (address: ProvenAddress) => void
}

/** The models a channel serves: typed, pasted, suggested by its vendor or selected from the vendor's list. */
export function ModelsField({ form, channelId, vendor, onListed }: ModelsFieldProps) {
  const { t } = useTranslation('channel-editor')
  const [source, setSource] = useState<ModelSource | undefined>()
  const known = useRead(channelRoutes.knownModels, undefined, { staleTime: 300_000 })
  const { models } = form.values
  const setModels = (next: readonly string[]) => form.setFieldValue('models', [...new Set(next)])
  const suggestions = [...new Set([...(vendor?.models ?? []), ...(known.data ?? []).map(({ id }) => id)])]
  const current = currentModels(vendor)
  const fetchList = () => {
    const found = sourceOf(form, channelId, vendor)
    if (found) setSource(found)
    else form.setFieldError('key', t(channelId === undefined ? 'fault.keyNeeded' : 'fault.keyAgain'))
  }
  return (
    <Stack gap={8}>
      <TagsField
        {...form.getInputProps('models')}
        label={t('models.label', { count: models.length })}
        description={t('models.hint')}
        data={suggestions}
        renderOption={({ option }) => <ModelOption name={option.value} vendor={vendor} />}
        limit={50}
        maxDropdownHeight={240}
        onChange={setModels}
        withAsterisk
      />
      <Group gap={6}>
        <Button variant="default" disabled={current.length === 0} onClick={() => setModels([...models, ...current])}>
          {t('models.fill', { count: current.length })}
        </Button>
        <Button variant="default" disabled={!vendor?.has_model_list} onClick={fetchList}>
          {t('models.fetch')}
        </Button>
        {/* On a phone the icon wraps with the last button, never alone. */}
        <Group gap={6} wrap="nowrap">
          <Button variant="default" disabled={models.length === 0} onClick={() => setModels([])}>
            {t('models.clear')}
          </Button>
          {models.length > 0 && <CopyButton text={models.join(',')} label={t('models.copy')} />}
        </Group>
      </Group>
      {vendor && <RetiredModels models={models} vendor={vendor} />}
      <PriceLine models={models} mapping={form.values.model_mapping} />
      {source && (
        <Suspense>
          <ModelPicker
            current={models}
            source={source}
            onApply={setModels}
            onClose={(hasList) => {
              setSource(undefined)
              const { type, base_url } = source.unsaved ? form.getValues() : form.getInitialValues()
              if (hasList) onListed({ type, base_url })
            }}
          />
        </Suspense>
      )}
    </Stack>
  )
}

/** Returns the source of the vendor's list: the first typed key or the stored channel. Undefined where a key is missing. */
function sourceOf(
  { values, getInitialValues }: ChannelFormState,
  channelId: number | undefined,
  vendor: Vendor | undefined,
): ModelSource | undefined {
  const [key] = keysIn(values.key, vendor?.key.several ?? true)
  if (key === undefined) {
    if (channelId === undefined || isElsewhere(getInitialValues(), values, vendor?.base_url ?? null)) return undefined
    return { channelId }
  }
  const { base_url, other, type } = values
  return { unsaved: { base_url, key, other, type: Number(type) } }
}

/** Models of the channel that its vendor has retired. */
function RetiredModels({ models, vendor }: { readonly models: readonly string[]; readonly vendor: Vendor }) {
  const { t } = useTranslation('channel-editor')
  const chosen = new Set(models)
  const found = vendor.retired_models.filter(({ name }) => chosen.has(name)).map(({ name }) => name)
  if (found.length === 0) return null
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" role="status">
      <IconAlertTriangle size={16} style={{ flex: 'none', marginTop: 3 }} color="var(--warn)" />
      <Text size="sm">{t('models.retired', { count: found.length, models: found.join(', ') })}</Text>
    </Group>
  )
}

interface ModelOptionProps {
  readonly name: string
  readonly vendor: Vendor | undefined
}

/** A suggested model, marked when it is retired. */
function ModelOption({ name, vendor }: ModelOptionProps) {
  const { t } = useTranslation('channel-editor')
  const retired = vendor?.retired_models.find((model) => model.name === name)
  if (!retired) return name
  return (
    <Group gap={8} justify="space-between" w="100%">
      <span>{name}</span>
      <Text size="xs" c="dimmed">
        {retired.since === null ? t('models.deprecated') : t('models.retiredSince', { day: retired.since })}
      </Text>
    </Group>
  )
}

/** Returns the vendor's suggested models that are not retired. */
const currentModels = (vendor: Vendor | undefined): string[] => {
  const retired = new Set(vendor?.retired_models.map(({ name }) => name))
  return (vendor?.models ?? []).filter((name) => !retired.has(name))
}
