import { Alert } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

import { ErrorState } from '../../components/page/state-message'
import { PageHeader } from '../../components/page/page-header'
import { PageLoading } from '../../components/page/page-loading'
import { useTranslation } from '../../lib/text/i18n'
import { ChoicesContext, useChoices } from './hooks/use-choices'
import { NoModels } from './no-models'

const Studio = lazy(async () => ({ default: (await import('./studio/studio')).Studio }))
const OpenSession = lazy(async () => ({ default: (await import('./open-session')).OpenSession }))

const route = getRouteApi('/playground')

/** Tries models in the browser: conversations, images, songs and videos. */
export function PlaygroundPage() {
  const { make, draft = false } = route.useSearch()
  if (make === undefined) return <ChatPage />
  return (
    <Suspense fallback={<PageLoading />}>
      <Studio key={make} make={make} hasDraft={draft} />
    </Suspense>
  )
}

/** Chats with several models side by side, with the usage and cost of each response. */
function ChatPage() {
  const { t } = useTranslation('playground')
  const { expired } = route.useSearch()
  const { choices, error, retry } = useChoices()
  const notice = expired && (
    <Alert variant="outline" color="yellow" p="xs" mb="sm">
      {t('expired')} <Link to="/login">{t('login')}</Link>
    </Alert>
  )
  if (choices && choices.models.length > 0)
    return (
      <ChoicesContext value={choices}>
        {notice}
        <Suspense fallback={<PageLoading />}>
          <OpenSession />
        </Suspense>
      </ChoicesContext>
    )
  return (
    <>
      <PageHeader title={t('title')} />
      {notice}
      {choices && <NoModels />}
      {!choices && (error ? <ErrorState error={error} onRetry={retry} /> : <PageLoading />)}
    </>
  )
}
