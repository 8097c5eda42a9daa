import { siteTextRoutes } from '@tollgate/contract'

import { ErrorState } from '../../components/page/state-message'
import { PageLoading } from '../../components/page/page-loading'
import { SiteText } from '../../components/texts/site-text'
import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'
import { useSite } from '../../lib/api/status'
import { OwnHome } from './own-home'

/** The operator's page, or else how to call the gateway and where to go next. */
export function HomePage() {
  const { t } = useTranslation('home')
  const { system_name: site } = useSite()
  const { data, error, refetch } = useRead(siteTextRoutes.homePageContent)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <PageLoading />
  return data === '' ? <OwnHome /> : <SiteText text={data} title={t('title', { site })} isAlone />
}
