import { Button, NumberInput, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type ChannelNumber, channelNumbers, channelRoutes } from '@tollgate/contract'

import { choicesOf } from '../../../components/combobox/choice'
import { SearchSelect } from '../../../components/combobox/search-select'
import { JsonField } from '../json-field'
import { useTranslation } from '../../../lib/text/i18n'
import { type ChannelForm, objectOf, withSetting } from './channel-form'
import type { ChannelFormState } from './use-channel-form'
import { ChoiceSelect } from '../../../components/fields/choice-select'
import { useRead } from '../../../lib/api/query'

const advancedNames = [
  'model_mapping',
  'status_code_mapping',
  'param_override',
  'setting',
  'system_prompt',
  'model_prefix',
  'test_model',
  'max_input_tokens',
  'priority',
  'weight',
  'tag',
  'auto_ban',
] as const satisfies readonly (keyof ChannelForm)[]

interface AdvancedFieldsProps {
  readonly form: ChannelFormState
  readonly vendor: channelRoutes.ChannelType | undefined
}

/** Settings that most channels leave at their defaults; opens by itself when one of them is invalid. */
export function AdvancedFields({ form, vendor }: AdvancedFieldsProps) {
  const { t } = useTranslation('channel-editor')
  const [isChosen, setChosen] = useState(false)
  const id = useId()
  const isOpen = isChosen || advancedNames.some((name) => form.errors[name] !== undefined)
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        px={6}
        leftSection={isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setChosen(!isOpen)}
      >
        {t('advanced.title')}
      </Button>
      <div id={id}>{isOpen && <OpenFields form={form} vendor={vendor} />}</div>
    </div>
  )
}

function OpenFields({ form, vendor }: AdvancedFieldsProps) {
  const { t } = useTranslation('channel-editor')
  return (
    <Stack gap="md" mt="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <NumberInput
          {...form.getInputProps('priority')}
          label={t('advanced.priority')}
          description={t('advanced.priorityHint')}
          min={channelRoutes.lowestPriority}
          clampBehavior="none"
        />
        <NumberInput
          {...form.getInputProps('weight')}
          label={t('advanced.weight')}
          description={t('advanced.weightHint')}
          min={0}
          clampBehavior="none"
        />
        <TextInput {...form.getInputProps('tag')} label={t('advanced.tag')} maxLength={255} />
        <SearchSelect
          label={t('advanced.testModel')}
          placeholder={form.values.models[0]}
          choices={choicesOf(form.values.models)}
          free={(model) => ({ value: model, label: model })}
          isClearable
          error={form.errors['test_model']}
          value={form.values.test_model || null}
          onChange={(model) => form.setFieldValue('test_model', model ?? '')}
        />
        <TextInput
          {...form.getInputProps('model_prefix')}
          label={t('advanced.prefix')}
          description={t('advanced.prefixHint')}
          maxLength={64}
        />
        <NumberInput
          {...form.getInputProps('max_input_tokens')}
          label={t('advanced.maxInput')}
          description={t('advanced.maxInputHint')}
          min={0}
          allowDecimal={false}
          thousandSeparator=","
        />
      </SimpleGrid>
      <Switch
        {...form.getInputProps('auto_ban', { type: 'checkbox' })}
        label={t('advanced.autoBan')}
        description={t('advanced.autoBanHint')}
      />
      <FlowFields form={form} vendor={vendor} />
      <JsonTexts form={form} />
      <Textarea
        {...form.getInputProps('system_prompt')}
        label={t('advanced.systemPrompt')}
        description={t('advanced.systemPromptHint')}
        autosize
        minRows={2}
        maxRows={10}
      />
    </Stack>
  )
}

/** Example values. */
const examples = {
  model_mapping: { 'requested-model': 'upstream-model' },
  status_code_mapping: { '400': '500' },
  param_override: { temperature: 0.7, 'reasoning.effort': 'low', thinking: { budget_tokens: null }, seed: null },
  setting: {
    proxy: 'http://proxy.example:8080',
    rewrites: [
      {
        models: ['gpt-5*'],
        header_override: { 'x-team': 'blue', 'user-agent': null },
        header_pass: ['x-session-id'],
        param_override: { 'reasoning.effort': 'low', temperature: null },
        param_default: { max_completion_tokens: 4096 },
      },
    ],
  },
} as const

function JsonTexts({ form }: { readonly form: ChannelFormState }) {
  const { t } = useTranslation('channel-editor')
  return (['model_mapping', 'status_code_mapping', 'param_override', 'setting'] as const).map((name) => {
    const { error, ...input } = form.getInputProps(name)
    return (
      <JsonField
        {...input}
        key={name}
        error={typeof error === 'string' ? error : undefined}
        value={form.values[name]}
        label={t(`advanced.${name}`)}
        description={t(`advanced.${name}_hint`)}
        example={examples[name]}
      />
    )
  })
}

const flowNames = [
  'max_concurrency',
  'max_waiting',
  'max_wait_seconds',
  'first_byte_timeout',
  'first_byte_timeout_whole',
] as const satisfies readonly ChannelNumber[]

interface FlowFieldsProps {
  readonly form: ChannelFormState
  readonly vendor: channelRoutes.ChannelType | undefined
}

const policies = ['cancel', 'drain'] as const

/** Concurrency, queue, timeouts, and what happens when a client leaves: keys of the settings JSON. */
function FlowFields({ form, vendor }: FlowFieldsProps) {
  const { t } = useTranslation('channel-editor')
  const { setting } = form.values
  const settings = objectOf(setting)
  const { data: defaults } = useRead(channelRoutes.channelDefaults, undefined, { staleTime: 300_000 })
  const write = (key: string, value: string | number | boolean) =>
    form.setFieldValue('setting', withSetting(setting, key, value))
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      {flowNames.map((name) => {
        const value = settings?.[name]
        return (
          <NumberInput
            key={name}
            label={t(`flow.${name}`)}
            description={t(`flow.${name}_hint`)}
            // Invalid JSON must be fixed in its own field; a number must not replace it.
            disabled={!settings}
            value={typeof value === 'number' ? value : ''}
            onChange={(next) => write(name, next === '' ? '' : Number(next))}
            placeholder={defaults && String(defaults[name])}
            min={channelNumbers[name].min}
            max={channelNumbers[name].max}
            allowDecimal={false}
          />
        )
      })}
      <ChoiceSelect
        label={t('flow.on_disconnect')}
        description={t('flow.on_disconnect_hint')}
        disabled={!settings}
        choices={[
          { value: '', label: t(`flow.usual.${vendor?.bills_abandoned ?? 'all'}`) },
          ...policies.map((value) => ({ value, label: t(`flow.${value}`) })),
        ]}
        value={policies.find((policy) => policy === settings?.['on_disconnect']) ?? ''}
        onChange={(chosen) => write('on_disconnect', chosen)}
      />
      <Switch
        label={t('flow.session_affinity')}
        description={t('flow.session_affinity_hint')}
        disabled={!settings}
        checked={settings?.['no_session_affinity'] !== true}
        onChange={({ currentTarget }) => write('no_session_affinity', !currentTarget.checked)}
      />
    </SimpleGrid>
  )
}
