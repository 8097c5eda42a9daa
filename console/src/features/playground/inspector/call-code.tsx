import { Text } from '@mantine/core'

import { CodeSnippet } from '../../../components/code-snippet'
import { useTranslation } from '../../../lib/i18n'
import { useServerAddress } from '../../../lib/use-server-address'
import type { ChatBody } from '../session/request-body'
import { shortened } from './shortened'

/** Stands where the reader's key has to be. */
const placeholder = 'sk-...'

/** The call as a program makes it. Its group is that of its key; how the playground reads the answer is its own affair. */
export function CallCode({ body }: { readonly body: ChatBody }) {
  const { t } = useTranslation('playground')
  const address = useServerAddress()
  const { model, messages, group: _group, stream: _stream, stream_options: _options, ...parameters } = body
  return (
    <>
      <Text size="xs" c="dimmed" mb={8}>
        {t('inspect.codeHint')}
      </Text>
      <CodeSnippet
        address={address}
        apiKey={placeholder}
        model={model}
        messages={messages.length > 0 ? shortened(messages) : undefined}
        parameters={parameters}
        hasDialects
      />
    </>
  )
}
