import { Stack, Text } from '@mantine/core'
import { siteTextRoutes } from '@tollgate/contract'

import { ErrorState } from '../../components/page/state-message'
import { PageHeader } from '../../components/page/page-header'
import { PageLoading } from '../../components/page/page-loading'
import { SiteText } from '../../components/texts/site-text'
import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { useSite } from '../../lib/api/status'

/** The operator's text about the site, or else about the product. */
export function AboutPage() {
  const { t } = useTranslation('home')
  const { data, error, refetch } = useRead(siteTextRoutes.about)
  return (
    <>
      <PageHeader title={t('about.title')} />
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <PageLoading />}
      {data === '' && <OwnAbout />}
      {data && <SiteText text={data} title={t('about.title')} />}
    </>
  )
}

function OwnAbout() {
  const { t } = useTranslation('home')
  const { version } = useSite()
  const { isRoot } = useViewer()
  return (
    <Stack gap="sm" maw={640}>
      <Text>{t('about.what')}</Text>
      <Text>{t('about.how')}</Text>
      <Text size="sm" c="dimmed">
        {t('about.version', { version })}
      </Text>
      {isRoot && (
        <Text size="sm" c="dimmed">
          {t('about.own')}
        </Text>
      )}
    </Stack>
  )
}
