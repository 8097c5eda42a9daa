import { Center, Loader, Stack, Title } from '@mantine/core'

import { useTranslation } from '../../../lib/text/i18n'
import { usePageTitle } from '../../../lib/browser/use-page-title'

/** Shown while the gateway verifies a sign-in with the provider. */
export function Arriving() {
  const { t } = useTranslation('external-sign-in')
  usePageTitle(t('arriving'))
  return (
    <Center mih={240}>
      <Stack align="center" role="status">
        <Loader aria-hidden />
        <Title order={1} size="h4">
          {t('arriving')}
        </Title>
      </Stack>
    </Center>
  )
}
