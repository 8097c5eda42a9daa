import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'

import { PanelTabs } from '../../../../components/panel-tabs'
import { useTranslation } from '../../../../lib/text/i18n'
import classes from './model-choice.module.css'
import { chosenModels, differenceOf, familiesOf, type Family, type ModelDifference } from './model-families'

interface ModelChoiceProps {
  readonly current: readonly string[]
  readonly offered: readonly string[]
  readonly onApply: (models: readonly string[]) => void
  readonly onCancel: () => void
}

type Part = keyof ModelDifference
const parts = ['added', 'remaining', 'missing'] as const satisfies readonly Part[]

/** Compares offered models with those of the channel, by family and searchable. */
export function ModelChoice({ current, offered, onApply, onCancel }: ModelChoiceProps) {
  const { t } = useTranslation('channel-editor')
  const difference = useMemo(() => differenceOf(current, offered), [current, offered])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    // The first list of a channel is taken whole unless the operator leaves some out.
    () => new Set(current.length === 0 ? offered : current),
  )
  const [search, setSearch] = useState('')
  const query = search.trim().toLowerCase()
  const result = chosenModels(current, offered, chosen)
  const choose = (models: readonly string[], isChosen: boolean) =>
    setChosen((before) => {
      const next = new Set(before)
      for (const model of models)
        if (isChosen) next.add(model)
        else next.delete(model)
      return next
    })
  return (
    <Stack gap="sm">
      <TextInput
        aria-label={t('picker.search')}
        placeholder={t('picker.search')}
        leftSection={<IconSearch size={15} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        data-autofocus
      />
      <PanelTabs
        initial={difference.added.length > 0 ? 'added' : 'remaining'}
        tabs={parts.map((part) => ({
          name: part,
          label: t(`picker.${part}`, { count: difference[part].length }),
          panel: (
            <ModelList
              shown={difference[part].filter((model) => model.toLowerCase().includes(query))}
              emptyText={t(query === '' ? `picker.none_${part}` : 'nothingFound')}
              chosen={chosen}
              onChoose={choose}
            />
          ),
        }))}
      />
      <Group justify="space-between" gap={8}>
        <Text size="sm" c="dimmed" className="figures" aria-live="polite">
          {current.length === 0
            ? t('picker.first', { count: result.length })
            : t('picker.result', { count: result.length, before: current.length })}
        </Text>
        <Group gap={8}>
          <Button variant="default" onClick={onCancel}>
            {t('common:cancel')}
          </Button>
          <Button onClick={() => onApply(result)}>{t('picker.apply')}</Button>
        </Group>
      </Group>
    </Stack>
  )
}

interface SelectAllProps {
  readonly shown: readonly string[]
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (models: readonly string[], isChosen: boolean) => void
}

interface ModelListProps extends SelectAllProps {
  readonly emptyText: string
}

function ModelList({ emptyText, ...list }: ModelListProps) {
  return (
    <div className={classes.list}>
      {list.shown.length > 1 && <SelectAll {...list} />}
      {familiesOf(list.shown).map((family) => (
        <FamilyList key={family.name} family={family} {...list} />
      ))}
      {list.shown.length === 0 && (
        <Text size="sm" c="dimmed" py="lg" ta="center">
          {emptyText}
        </Text>
      )}
    </div>
  )
}

/** Selects all listed models, or all that match the search. */
function SelectAll({ shown, chosen, onChoose }: SelectAllProps) {
  const { t } = useTranslation('channel-editor')
  const count = shown.filter((model) => chosen.has(model)).length
  return (
    <Checkbox
      size="xs"
      className={classes.all}
      label={t('picker.all', { count: shown.length })}
      title={t('picker.allHint')}
      checked={count === shown.length}
      indeterminate={count > 0 && count < shown.length}
      onChange={(event) => onChoose(shown, event.currentTarget.checked)}
    />
  )
}

interface FamilyListProps {
  readonly family: Family
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (models: readonly string[], isChosen: boolean) => void
}

function FamilyList({ family: { name, models }, chosen, onChoose }: FamilyListProps) {
  const { t } = useTranslation('channel-editor')
  const count = models.filter((model) => chosen.has(model)).length
  const title = name === '' ? t('picker.others') : name
  return (
    <fieldset className={classes.family}>
      <Checkbox
        size="xs"
        className={classes.head}
        label={t('picker.family', { name: title, count, total: models.length })}
        checked={count === models.length}
        indeterminate={count > 0 && count < models.length}
        onChange={(event) => onChoose(models, event.currentTarget.checked)}
      />
      <div className={classes.models}>
        {models.map((model) => (
          <Checkbox
            key={model}
            size="xs"
            label={model}
            checked={chosen.has(model)}
            onChange={(event) => onChoose([model], event.currentTarget.checked)}
          />
        ))}
      </div>
    </fieldset>
  )
}
