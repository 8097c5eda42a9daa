import { ActionIcon, Group, Text } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'

import { masked } from '../../components/fields/secret-field'
import { Tip } from '../../components/tip'
import { useTranslation } from '../../lib/text/i18n'
import type { TokenKey } from '../../lib/api/use-token-key'
import { shownKey } from './token-key'

/** A key that the site hides, with the button that asks for a proof of identity. */
export function HiddenKey({ hidden: { key, reveal, isRevealing } }: { readonly hidden: TokenKey }) {
  const { t } = useTranslation('tokens')
  return (
    <Group gap={2} wrap="nowrap">
      <Text ff="monospace" fz="xs" style={{ whiteSpace: 'nowrap' }}>
        {masked(shownKey(key)).replaceAll('*', '•')}
      </Text>
      <Tip label={t('revealKey')}>
        <ActionIcon
          size={26}
          aria-label={t('revealKey')}
          loading={isRevealing}
          onClick={(event) => {
            event.stopPropagation()
            reveal()
          }}
        >
          <IconEye size={15} />
        </ActionIcon>
      </Tip>
    </Group>
  )
}
