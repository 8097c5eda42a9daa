import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

interface ViewNameDialogProps {
  /** Empty for a new view. */
  readonly name: string
  readonly taken: readonly string[]
  readonly onName: (name: string) => void
  readonly onClose: () => void
}

const longest = 60

/** Asks what a view is called. */
export function ViewNameDialog({ name, taken, onName, onClose }: ViewNameDialogProps) {
  const { t } = useTranslation(['logs', 'common'])
  const [typed, setTyped] = useState(name)
  const wanted = typed.trim()
  const isTaken = wanted !== name && taken.includes(wanted)
  return (
    <Modal
      opened
      onClose={onClose}
      size="sm"
      title={t(name ? 'view.rename' : 'view.save')}
      closeButtonProps={{ 'aria-label': t('panel.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (wanted === '') return
          onName(wanted)
          onClose()
        }}
      >
        <TextInput
          label={t('view.name')}
          description={t('view.kept')}
          maxLength={longest}
          data-autofocus
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          error={isTaken && t('view.taken')}
        />
        <Group justify="flex-end" gap={8} mt="md">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" disabled={wanted === ''}>
            {t(isTaken ? 'view.replace' : 'view.confirm')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
