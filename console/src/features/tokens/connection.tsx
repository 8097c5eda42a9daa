import { Stack, Tabs } from '@mantine/core'
import type { tokenRoutes } from '@tollgate/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { CodeSnippet } from '../../components/code-snippet'
import { choicesOf } from '../../components/combobox/choice'
import { SearchSelect } from '../../components/combobox/search-select'
import { masked } from '../../components/secret-field'
import { useServerAddress } from '../../lib/use-server-address'
import { ClientLines } from './client-lines'
import { KeyLine } from './key-line'
import { shownKey } from './token-key'
import { TryIt } from './try-it'
import { useTokenModels } from './use-token-models'

/** Everything it takes to call models with a token: key, code, settings, and a first call. */
export function Connection({ token }: { readonly token: tokenRoutes.TokenEntity }) {
  const { t } = useTranslation('tokens')
  const [isShown, setShown] = useState(false)
  const models = useTokenModels(token)
  const [chosen, setChosen] = useState<string | undefined>()
  const address = useServerAddress()
  const apiKey = shownKey(token.key)
  const seenKey = isShown ? apiKey : masked(apiKey)
  const model = chosen ?? models[0] ?? ''
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
      <Tabs defaultValue="code" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="code">{t('tab.code')}</Tabs.Tab>
          <Tabs.Tab value="clients">{t('tab.clients')}</Tabs.Tab>
          <Tabs.Tab value="try">{t('tab.try')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="code">
          <CodeSnippet address={address} apiKey={apiKey} shownKey={seenKey} model={model} hasDialects />
        </Tabs.Panel>
        <Tabs.Panel value="clients">
          <ClientLines address={address} apiKey={apiKey} shownKey={seenKey} />
        </Tabs.Panel>
        <Tabs.Panel value="try">
          <TryIt apiKey={apiKey} model={model} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}
