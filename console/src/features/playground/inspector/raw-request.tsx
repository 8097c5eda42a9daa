import { Text } from '@mantine/core'

import { CodeBlock } from '../../../components/texts/code-block'
import { useTranslation } from '../../../lib/text/i18n'
import type { Raw } from '../chat/raw-log'
import { shortened } from './shortened'

/** The request body; images are shortened, but copied in full. */
export function RawRequest({ raw }: { readonly raw: Raw | undefined }) {
  const { t } = useTranslation('playground')
  if (!raw) return <Text size="sm">{t('inspect.gone')}</Text>
  return (
    <>
      <Text size="xs" c="dimmed" ff="monospace" mb={6}>
        {t('inspect.address')}
      </Text>
      <CodeBlock
        code={JSON.stringify(shortened(raw.request), null, 2)}
        copied={JSON.stringify(raw.request, null, 2)}
        language="json"
      />
    </>
  )
}
