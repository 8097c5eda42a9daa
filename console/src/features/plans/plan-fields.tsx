import { Group, NumberInput, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core'
import { channelRoutes, modelRoutes, planRoutes } from '@tollgate/contract'

import { choicesOf, typedChoice, withValues } from '../../components/combobox/choice'
import { GroupsSelect } from '../../components/combobox/groups-select'
import { SearchMultiSelect, type SearchMultiSelectProps } from '../../components/combobox/search-multi-select'
import { ChoiceSelect } from '../../components/fields/choice-select'
import { MoneyInput } from '../../components/fields/money-input'
import { useRead } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { useTranslation } from '../../lib/text/i18n'
import { isModelPattern, type PlanForm } from './plan-form'

/** The fields of a plan, without its limits. */
export function PlanFields({ form }: { readonly form: PlanForm }) {
  const { t } = useTranslation('plans')
  return (
    <>
      <TextInput label={t('field.name')} withAsterisk maxLength={50} data-autofocus {...form.getInputProps('name')} />
      <Textarea
        label={t('field.description')}
        description={t('hint.description')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        {...form.getInputProps('description')}
      />
      <TermFields form={form} />
      <ScopeFields form={form} />
      <NumberInput
        label={t('field.maxPerUser')}
        description={t('hint.maxPerUser')}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        {...form.getInputProps('maxPerUser')}
      />
      <ChoiceSelect
        label={t('field.preference')}
        description={t('hint.preference')}
        choices={planRoutes.planPreferences.map((value) => ({ value, label: t(`plan:preference.${value}`) }))}
        {...form.getInputProps('preference')}
        value={form.values.preference}
      />
      <Switch
        size="sm"
        label={t('field.isOnSale')}
        description={t('hint.isOnSale')}
        {...form.getInputProps('isOnSale', { type: 'checkbox' })}
      />
    </>
  )
}

/** The price, and what it is paid for. */
function TermFields({ form }: { readonly form: PlanForm }) {
  const { t } = useTranslation('plans')
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <MoneyInput label={t('field.price')} withAsterisk {...form.getInputProps('price')} />
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <NumberInput
          label={t('field.length')}
          flex={1}
          withAsterisk
          allowDecimal={false}
          allowNegative={false}
          hideControls
          {...form.getInputProps('length')}
        />
        <ChoiceSelect
          label={t('field.unit')}
          flex={1}
          choices={planRoutes.planUnits.map((value) => ({ value, label: t(`unit.${value}`) }))}
          {...form.getInputProps('unit')}
          value={form.values.unit}
        />
      </Group>
    </SimpleGrid>
  )
}

/** What it pays for. */
function ScopeFields({ form }: { readonly form: PlanForm }) {
  const { t } = useTranslation('plans')
  return (
    <>
      <ModelPatternsSelect
        label={t('field.models')}
        description={t('hint.models')}
        placeholder={t('plan:allModels')}
        {...form.getInputProps('models')}
      />
      <GroupsSelect
        label={t('field.groups')}
        description={t('hint.groups')}
        placeholder={t('plan:allGroups')}
        {...form.getInputProps('groups')}
      />
    </>
  )
}

/** Selects several models of the site, and beginnings of names that end with `*`. */
function ModelPatternsSelect(props: Omit<SearchMultiSelectProps, 'choices' | 'free'>) {
  const isOfSite = useViewer().may('channels.read')
  const { data = [] } = useRead(isOfSite ? channelRoutes.enabledModels : modelRoutes.ownModels)
  return (
    <SearchMultiSelect
      {...props}
      choices={withValues(choicesOf(data), props.value ?? [])}
      free={(text) => (isModelPattern(text) ? typedChoice(text) : undefined)}
    />
  )
}
