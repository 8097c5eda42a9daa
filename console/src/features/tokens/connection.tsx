import { Anchor, Button, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { IconLock } from '@tabler/icons-react'
import { modelRoutes, type tokenRoutes } from '@tollgate/contract'

import { CodeSnippet } from '../../components/texts/code-snippet'
import { choicesOf } from '../../components/combobox/choice'
import { SearchSelect } from '../../components/combobox/search-select'
import { KeyLine } from '../../domain/first-call/key-line'
import { TryIt } from '../../domain/first-call/try-it'
import { useIsGuided } from '../../domain/onboarding/use-is-guided'
import { PanelTabs } from '../../components/panel-tabs'
import { mask } from '../../components/fields/secret-field'
import { StateMessage } from '../../components/page/state-message'
import { useTranslation } from '../../lib/text/i18n'
import { favouriteFirst } from '../../lib/text/favourite-model'
import { useServerAddress } from '../../lib/url/use-server-address'
import { useTokenKey } from '../../lib/api/use-token-key'
import { modelsOf, shownKey } from './token-text'
import { useRead } from '../../lib/api/query'

interface ConnectionProps {
  readonly token: tokenRoutes.TokenEntity
  /** It was created a moment ago. */
  readonly isNew: boolean
}

/** Everything needed to call models with a token: key, code, and a first call. */
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
          { name: 'try', label: t('tab.try'), panel: <TryIt apiKey={apiKey} model={model} /> },
        ]}
      />
      <Anchor size="sm" renderRoot={(props) => <Link to="/app/connect" search={{ token: token.id }} {...props} />}>
        {t('clients')}
      </Anchor>
    </Stack>
  )
}

/** Returns the models that a token may use, the default first. */
function useTokenModels(token: tokenRoutes.TokenEntity): readonly string[] {
  const { data = [] } = useRead(modelRoutes.ownModels)
  return favouriteFirst(token.model_limits_enabled ? modelsOf(token.model_limits) : data)
}
