import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { FocusBack } from '../focus-back'

interface NameDialogProps {
  readonly title: string
  readonly hint?: string
  /** Empty for a new name. */
  readonly name: string
  /** Existing names; choosing one of them replaces it, which the dialog says. */
  readonly taken: readonly string[]
  readonly onName: (name: string) => void
  readonly onClose: () => void
}

const maxLength = 60

/** Asks for the name to save something under. */
export function NameDialog({ title, hint, name, taken, onName, onClose }: NameDialogProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(name)
  const trimmed = typed.trim()
  const isTaken = trimmed !== name && taken.includes(trimmed)
  return (
    <Modal opened onClose={onClose} size="sm" title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      <FocusBack />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (trimmed === '') return
          onName(trimmed)
          onClose()
        }}
      >
        <TextInput
          label={t('named.name')}
          description={hint}
          maxLength={maxLength}
          data-autofocus
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          error={isTaken && t('named.taken')}
        />
        <Group justify="flex-end" gap={8} mt="md">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" disabled={trimmed === ''}>
            {t(isTaken ? 'named.replace' : 'named.save')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
