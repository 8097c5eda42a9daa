import { Group, Kbd, Modal, Stack, Text } from '@mantine/core'

import { FocusBack } from '../../components/focus-back'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { useSite } from '../../lib/api/status'
import { pagesFor } from '../pages'

const general = [
  ['Ctrl K', 'palette'],
  ['/', 'search'],
  ['j k', 'rows'],
  ['Enter', 'open'],
  ['f', 'filter'],
  ['Esc', 'close'],
  ['?', 'sheet'],
] as const

export function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('shell')
  const pages = pagesFor(useSite(), useViewer()).filter(({ letter }) => letter)
  return (
    <Modal opened onClose={onClose} title={t('shortcut.title')} closeButtonProps={{ 'aria-label': t('close') }}>
      <FocusBack />
      <Stack gap={8}>
        {general.map(([keys, name]) => (
          <Line key={name} keys={keys} text={t(`shortcut.${name}`)} />
        ))}
        {pages.map(({ path, letter, name }) => (
          <Line key={path} keys={`g ${letter}`} text={t('shortcut.goTo', { page: name })} />
        ))}
      </Stack>
    </Modal>
  )
}

function Line({ keys, text }: { readonly keys: string; readonly text: string }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">{text}</Text>
      <Group gap={4} wrap="nowrap">
        {keys.split(' ').map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </Group>
    </Group>
  )
}
