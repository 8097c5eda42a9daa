import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { IconEye, IconEyeOff, IconLock } from '@tabler/icons-react'
import { modelRoutes, type tokenRoutes } from '@tollgate/contract'

import classes from './tokens.module.css'
import { CodeSnippet } from '../../components/texts/code-snippet'
import { choicesOf } from '../../components/combobox/choice'
import { SearchSelect } from '../../components/combobox/search-select'
import { useIsGuided } from '../../domain/onboarding/use-is-guided'
import { PanelTabs } from '../../components/panel-tabs'
import { mask } from '../../components/fields/secret-field'
import { StateMessage } from '../../components/page/state-message'
import { useTranslation } from '../../lib/text/i18n'
import { useServerAddress } from '../../lib/url/use-server-address'
import { useTokenKey } from '../../lib/api/use-token-key'
import { modelsOf, shownKey } from './token-text'
import { TryIt } from './try-it'
import { useRead } from '../../lib/api/query'
import { CopyButton, CopyField } from '../../components/copy-button'
import { CodeBlock } from '../../components/texts/code-block'

interface ConnectionProps {
  readonly token: tokenRoutes.TokenEntity
  /** It was created a moment ago. */
  readonly isNew: boolean
}

/** Everything needed to call models with a token: key, code, settings, and a first call. */
export function Connection({ token, isNew }: ConnectionProps) {
  const { t } = useTranslation('tokens')
  const known = useTokenKey(token)
  const [isShown, setShown] = useState(false)
  // A first call is the next step of a reader whom the checklist still leads.
  const isTryFirst = useIsGuided() && isNew
  const models = useTokenModels(token)
  const [chosen, setChosen] = useState<string | undefined>()
  const address = useServerAddress()
  const apiKey = shownKey(known.key)
  const seenKey = isShown ? apiKey : mask(apiKey)
  const model = chosen ?? models[0] ?? ''
  const call = { address, apiKey }
  if (known.isHidden) {
    return (
      <StateMessage
        icon={IconLock}
        title={t('hiddenKey')}
        action={
          <Button size="sm" loading={known.isRevealing} onClick={known.reveal}>
            {t('revealKey')}
          </Button>
        }
      />
    )
  }
  return (
    <Stack gap="sm">
      <KeyLine apiKey={apiKey} isShown={isShown} onShow={setShown} />
      <SearchSelect
        size="xs"
        label={t('model')}
        placeholder={models.length === 0 ? t('noModels') : undefined}
        disabled={models.length === 0}
        choices={choicesOf(models)}
        value={model || null}
        onChange={(value) => setChosen(value ?? undefined)}
      />
      <PanelTabs
        initial={isTryFirst ? 'try' : 'code'}
        tabs={[
          {
            name: 'code',
            label: t('tab.code'),
            panel: <CodeSnippet {...call} shownKey={seenKey} model={model} hasDialects />,
          },
          { name: 'clients', label: t('tab.clients'), panel: <ClientLines {...call} shownKey={seenKey} /> },
          { name: 'try', label: t('tab.try'), panel: <TryIt apiKey={apiKey} model={model} /> },
        ]}
      />
    </Stack>
  )
}

/** The specification's default model. */
const favourite = 'gpt-4o-mini'

/** Returns the models that a token may use, the default first. */
function useTokenModels(token: tokenRoutes.TokenEntity): readonly string[] {
  const { data = [] } = useRead(modelRoutes.ownModels)
  const usable = token.model_limits_enabled ? modelsOf(token.model_limits) : data
  return usable.includes(favourite) ? [favourite, ...usable.filter((model) => model !== favourite)] : usable
}

interface KeyLineProps {
  /** Includes `sk-`. */
  readonly apiKey: string
  readonly isShown: boolean
  readonly onShow: (isShown: boolean) => void
}

/** The key; the snippets below reveal it along with it. */
function KeyLine({ apiKey, isShown, onShow }: KeyLineProps) {
  const { t } = useTranslation('tokens')
  const Eye = isShown ? IconEyeOff : IconEye
  return (
    <Group gap={4} wrap="nowrap" className={classes.keyLine}>
      <Text ff="monospace" size="sm" style={{ flex: 1, overflowWrap: 'anywhere' }}>
        {isShown ? apiKey : mask(apiKey)}
      </Text>
      <ActionIcon
        aria-label={t(isShown ? 'common:secret.hide' : 'common:secret.show')}
        onClick={() => onShow(!isShown)}
      >
        <Eye size={16} />
      </ActionIcon>
      <CopyButton text={apiKey} label={t('action.copyKey')} size={30} />
    </Group>
  )
}

interface ClientLinesProps {
  /** Address of the gateway, without a trailing slash. */
  readonly address: string
  readonly apiKey: string
  /** Shown instead of the key. */
  readonly shownKey: string
}

/** Values for the settings of other programs. */
function ClientLines({ address, apiKey, shownKey }: ClientLinesProps) {
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
