import { Paper, Stack, Switch, Text, Title } from '@mantine/core'
import { useId } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { accountRoutes, readUserSetting, role, type userRoutes } from '@tollgate/contract'

import classes from './account.module.css'
import { ChoiceSelect } from '../../components/fields/choice-select'
import { useTranslation } from '../../lib/text/i18n'
import { chooseAccountLanguage } from '../../lib/api/choose-account-language'
import { languageNames, languages } from '../../lib/text/language'
import { notifySuccess } from '../../lib/browser/notify'
import { useRead, useWrite } from '../../lib/api/query'
import { AccountSection, ReadState } from './account-section'
import { BillingForm } from '../../domain/billing/billing-form'
import { ConfirmButton } from '../../components/dialogs/confirm-button'
import { DangerZone } from '../../components/dialogs/danger-zone'
import { storedUser } from '../../lib/api/session'

const placeholderHeight = 320

const switches = [
  { name: 'unpriced', field: 'accept_unset_model_ratio_model' },
  { name: 'address', field: 'show_ip_in_logs' },
] as const

/** Preferences of the account, and deleting it. */
export function PreferencesTab() {
  const { t, language } = useTranslation('account')
  const read = useRead(accountRoutes.getSelf, {})
  const { data } = read
  const { mutate, isPending } = useWrite(accountRoutes.updateSetting, {
    changes: [accountRoutes.getSelf],
    onSuccess: () => notifySuccess(t('preferences.saved')),
  })
  if (!data) return <ReadState read={read} height={placeholderHeight} />
  const setting = readUserSetting(data)
  return (
    <Stack gap="md">
      <AccountSection
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
      {switches.map(({ name, field }) => (
        <AccountSection
          key={field}
          isCompact
          title={t(`preferences.${name}`)}
          hint={t(`preferences.${name}Hint`)}
          actions={
            <Switch
              aria-label={t(`preferences.${name}`)}
              checked={setting[field]}
              disabled={isPending}
              onChange={({ currentTarget }) => mutate({ body: { [field]: currentTarget.checked } })}
            />
          }
        />
      ))}
      <BillingSection account={data} />
      {/* The super admin cannot be deleted. */}
      {data.role < role.root && <CloseAccount username={data.username} />}
    </Stack>
  )
}

/** Whom invoices and statements name as the customer. */
function BillingSection({ account }: { readonly account: userRoutes.UserEntity }) {
  const { t } = useTranslation('document')
  const id = useId()
  return (
    <Paper component="section" aria-labelledby={id} className={classes.form}>
      <Title order={2} fz="md" id={id}>
        {t('billing.title')}
      </Title>
      <Text size="sm" c="dimmed" mt={2} mb="md">
        {t('billing.hint')}
      </Text>
      <BillingForm account={account} action={t('common:save')} onSaved={() => notifySuccess(t('billing.saved'))} />
    </Paper>
  )
}

/** Deletes the account for good after its name was typed; the server ends the session along with it. */
function CloseAccount({ username }: { readonly username: string }) {
  const { t } = useTranslation('account')
  const navigate = useNavigate()
  const client = useQueryClient()
  const { mutate, isPending } = useWrite(accountRoutes.deleteSelf, {
    onSuccess: () => {
      storedUser.clear()
      client.clear()
      notifySuccess(t('close.done'))
      void navigate({ to: '/login' })
    },
  })
  return (
    <DangerZone title={t('close.title')} hint={t('close.hint')}>
      <ConfirmButton
        size="sm"
        color="red"
        title={t('close.question')}
        question={t('close.hint')}
        confirmText={t('close.action')}
        typed={username}
        loading={isPending}
        onConfirm={() => mutate({})}
      >
        {t('close.action')}
      </ConfirmButton>
    </DangerZone>
  )
}
