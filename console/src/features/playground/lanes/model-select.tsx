import { Select } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { useKnownChoices } from '../hooks/choices-context'

interface ModelSelectProps {
  readonly model: string
  /** Models this group has come first. */
  readonly group: string
  readonly onChange: (model: string) => void
}

/** More would make the list slow, and nobody scrolls so far: one types. */
const mostShown = 200

export function ModelSelect({ model, group, onChange }: ModelSelectProps) {
  const { t } = useTranslation('playground')
  const { models, isServed } = useKnownChoices()
  const data = useMemo(() => {
    // One that is no longer offered stays visible until another is chosen.
    const all = models.includes(model) || model === '' ? models : [model, ...models]
    const served = all.filter((name) => isServed(name, group))
    const others = all.filter((name) => !isServed(name, group))
    if (others.length === 0) return served
    return [
      { group: t('model.inGroup', { group }), items: served },
      { group: t('model.others'), items: others },
    ]
  }, [models, model, group, isServed, t])
  const isElsewhere = model !== '' && !isServed(model, group)
  return (
    <Select
      aria-label={t('model.label')}
      placeholder={t('model.choose')}
      data={data}
      value={model || null}
      onChange={(next) => next !== null && onChange(next)}
      searchable
      // What is typed replaces the name instead of adding to it.
      onFocus={({ currentTarget }) => currentTarget.select()}
      allowDeselect={false}
      limit={mostShown}
      maxDropdownHeight={360}
      nothingFoundMessage={t('model.none')}
      error={isElsewhere && t('model.notInGroup', { group })}
      style={{ flex: 1, minWidth: 0 }}
      size="xs"
    />
  )
}
