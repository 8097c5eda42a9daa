import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'

import { useTranslation } from '../../../../lib/text/i18n'

interface AddModelProps {
  readonly taken: readonly string[]
  readonly onAdd: (model: string) => void
}

/** Offers to add the target of a mapping that the channel does not list. */
export function AddModel({ taken, onAdd }: AddModelProps) {
  const { t } = useTranslation('channel-editor')
  const [name, setName] = useState('')
  const model = name.trim()
  const isTaken = taken.includes(model)
  const add = () => {
    if (model === '' || isTaken) return
    onAdd(model)
    setName('')
  }
  return (
    <Group gap={6} align="flex-start" wrap="nowrap">
      <TextInput
        size="xs"
        aria-label={t('prices.addName')}
        placeholder={t('prices.addName')}
        maxLength={255}
        value={name}
        error={isTaken && t('prices.taken')}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') add()
        }}
      />
      <Button variant="default" disabled={model === '' || isTaken} onClick={add}>
        {t('prices.add')}
      </Button>
    </Group>
  )
}
