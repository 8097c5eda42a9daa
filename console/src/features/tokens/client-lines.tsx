import { Stack, Text } from '@mantine/core'

import { CodeBlock } from '../../components/texts/code-block'
import { CopyField } from '../../components/copy-button'
import { useTranslation } from '../../lib/text/i18n'
import classes from './tokens.module.css'

interface ClientLinesProps {
  /** Address of the gateway, without a trailing slash. */
  readonly address: string
  readonly apiKey: string
  /** Shown instead of the key. */
  readonly shownKey: string
}

/** Values for the settings of other programs. */
export function ClientLines({ address, apiKey, shownKey }: ClientLinesProps) {
  const { t } = useTranslation('tokens')
  const environment = (key: string) => `OPENAI_BASE_URL=${address}/v1\nOPENAI_API_KEY=${key}`
  return (
    <Stack gap="sm">
      <dl className={classes.lines}>
        <Line name={t('client.baseUrl')} value={`${address}/v1`} />
        <Line name={t('client.host')} value={address} />
        <Line name={t('client.endpoint')} value={`${address}/v1/chat/completions`} />
        <Line name={t('client.key')} value={apiKey} shown={shownKey} />
      </dl>
      <div>
        <Text size="sm" mb={6}>
          {t('client.environment')}
        </Text>
        <CodeBlock code={environment(shownKey)} copied={environment(apiKey)} language="bash" />
      </div>
    </Stack>
  )
}

interface LineProps {
  readonly name: string
  readonly value: string
  readonly shown?: string
}

const Line = ({ name, value, shown }: LineProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <CopyField value={value} shown={shown} label={name} />
    </dd>
  </div>
)
