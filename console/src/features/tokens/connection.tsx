import { Button, Stack } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { tokenRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { CodeSnippet } from '../../components/texts/code-snippet'
import { choicesOf } from '../../components/combobox/choice'
import { SearchSelect } from '../../components/combobox/search-select'
import { useIsGuided } from '../../domain/onboarding/use-is-guided'
import { PanelTabs } from '../../components/panel-tabs'
import { masked } from '../../components/fields/secret-field'
import { StateMessage } from '../../components/page/state-message'
import { useTranslation } from '../../lib/text/i18n'
import { useServerAddress } from '../../lib/url/use-server-address'
import { useTokenKey } from '../../lib/api/use-token-key'
import { ClientLines } from './client-lines'
import { KeyLine } from './key-line'
import { shownKey } from './token-key'
import { TryIt } from './try-it'
import { useTokenModels } from './use-token-models'

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
  const seenKey = isShown ? apiKey : masked(apiKey)
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
