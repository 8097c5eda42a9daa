import { Text } from '@mantine/core'

import { CodeSnippet } from '../../../components/texts/code-snippet'
import { useTranslation } from '../../../lib/text/i18n'
import { useServerAddress } from '../../../lib/url/use-server-address'
import type { ChatBody } from '../session/request-body'
import { shortened } from './shortened'

/** Placeholder of the reader's key. */
const placeholder = 'sk-...'

/** The call as a program makes it. The group is that of its key; streaming is up to the program. */
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
