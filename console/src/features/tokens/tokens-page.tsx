import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { PageHeader } from '../../components/page-header'
import { TokenNotes } from './token-notes'
import type { TokenSearch } from './token-search'
import { TokensTable } from './tokens-table'

const route = getRouteApi('/app/tokens')

/** API tokens: everything a person's programs call the gateway with. */
export function TokensPage() {
  const { t } = useTranslation('tokens')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (change: Partial<TokenSearch>) =>
    void navigate({ search: (current) => ({ ...current, ...change }) })
  return (
    <>
      <PageHeader title={t('title')}>
        <Button leftSection={<IconPlus size={14} />} onClick={() => setSearch({ edit: 'new' })}>
          {t('create')}
        </Button>
      </PageHeader>
      <TokenNotes />
      <TokensTable search={search} setSearch={setSearch} onConnect={() => {}} />
    </>
  )
}
