import { Skeleton, Stack, Switch } from '@mantine/core'
import { role, selfRoutes } from '@tollgate/contract'

import { ChoiceSelect } from '../../../components/choice-select'
import { ErrorState } from '../../../components/error-state'
import { useTranslation } from '../../../lib/i18n'
import { chooseAccountLanguage } from '../../../lib/choose-account-language'
import { languageNames, languages } from '../../../lib/language'
import { notifySuccess } from '../../../lib/notify'
import { useRead, useWrite } from '../../../lib/query'
import { MeSection } from '../me-section'
import { CloseAccount } from './close-account'

const placeholderHeight = 320

/** What the reader chooses for the account, and closing it. */
export function PreferencesTab() {
  const { t, language } = useTranslation('me')
  const { data, error, refetch } = useRead(selfRoutes.getSelf, {})
  const { mutate, isPending } = useWrite(selfRoutes.updateSetting, {
    changes: [selfRoutes.getSelf],
    onSuccess: () => notifySuccess(t('preferences.saved')),
  })
  if (!data)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} isSmall />
    ) : (
      <Skeleton h={placeholderHeight} />
    )
  const setting = selfRoutes.preferencesOf(data)
  return (
    <Stack gap="md">
      <MeSection
        isCompact
        title={t('preferences.language')}
        hint={t('preferences.languageHint')}
        actions={
          <ChoiceSelect
            aria-label={t('preferences.language')}
            choices={languages.map((value) => ({ value, label: languageNames[value] }))}
            value={language}
            onChange={(chosen) => void chooseAccountLanguage(chosen)}
          />
        }
      />
      <MeSection
        isCompact
        title={t('preferences.unpriced')}
        hint={t('preferences.unpricedHint')}
        actions={
          <Switch
            aria-label={t('preferences.unpriced')}
            checked={setting.accept_unset_model_ratio_model}
            disabled={isPending}
            onChange={({ currentTarget }) =>
              mutate({ body: { accept_unset_model_ratio_model: currentTarget.checked } })
            }
          />
        }
      />
      <MeSection
        isCompact
        title={t('preferences.address')}
        hint={t('preferences.addressHint')}
        actions={
          <Switch
            aria-label={t('preferences.address')}
            checked={setting.show_ip_in_logs}
            disabled={isPending}
            onChange={({ currentTarget }) => mutate({ body: { show_ip_in_logs: currentTarget.checked } })}
          />
        }
      />
      {/* The super admin cannot leave. */}
      {data.role < role.root && <CloseAccount username={data.username} />}
    </Stack>
  )
}
