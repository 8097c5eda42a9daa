import {
  Button,
  Group,
  Input,
  Paper,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useId } from 'react'
import { accountRoutes, noticeRoutes, readFields, UserSetting } from '@tollgate/contract'
import type * as z from 'zod'

import { useSecondLook, useUnusualQuota } from '../../../components/dialogs/use-second-look'
import { MoneyInput } from '../../../components/fields/money-input'
import { QuickPicks } from '../../../components/fields/quick-picks'
import { showAtField } from '../../../lib/api/form-errors'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useWrite } from '../../../lib/api/query'
import { useSite } from '../../../lib/api/status'
import { useFormat } from '../../../lib/text/use-format'
import classes from '../account.module.css'

interface NoticeFormProps {
  readonly settings: NoticeSettings
  /** Empty: the account has no address. */
  readonly accountMail: string
}

interface Values extends Omit<NoticeSettings, 'quota_warning_threshold'> {
  quota_warning_threshold: number | string
  /** Never shown again; empty keeps the current one. */
  webhook_secret: string
}

/** Quota units. */
const thresholds = [100_000, 500_000, 1_000_000, 5_000_000] as const

/** When and how the reader is notified of a low balance. */
export function NoticeForm({ settings, accountMail }: NoticeFormProps) {
  const { t } = useTranslation('account')
  const { money } = useFormat()
  const { quota_remind_threshold: ofSite } = useSite()
  const titleId = useId()
  const { quota_warning_threshold: own = ofSite } = settings
  // What is not changed keeps following the site.
  const isOfSite = (threshold: number | string) =>
    settings.quota_warning_threshold === undefined && Number(threshold) === ofSite
  const form = useForm<Values>({
    initialValues: { ...settings, quota_warning_threshold: own, webhook_secret: '' },
    validate: {
      quota_warning_threshold: (value) =>
        Number(value) > 0 || isOfSite(value) ? null : t('notification.thresholdMissing'),
      webhook_url: (value, { notify_type: type }) =>
        type === 'webhook' && !/^https:\/\/./i.test(value.trim()) ? t('notification.urlMissing') : null,
    },
  })
  const save = useWrite(accountRoutes.updateSetting, {
    changes: [accountRoutes.getSelf],
    onSuccess: () => {
      form.resetDirty()
      notifySuccess(t('notification.saved'))
    },
    onError: showAtField(form, {
      'setting.threshold': 'quota_warning_threshold',
      'setting.webhook_empty': 'webhook_url',
      'setting.webhook': 'webhook_url',
      'setting.email': 'notification_email',
    }),
  })
  const test = useWrite(noticeRoutes.sendTest, {
    changes: [noticeRoutes.listDeliveries],
    onSuccess: ({ type, to }) => notifySuccess(t(`notification.testSent.${type}`, { to })),
    onError: showAtField(form, { 'notice.no_mail': 'notification_email', 'setting.webhook_empty': 'webhook_url' }),
  })
  const { notify_type: type } = form.values
  const unusualQuota = useUnusualQuota()
  const { isMeant, dialog } = useSecondLook()
  return (
    <Paper component="section" aria-labelledby={titleId} className={classes.form}>
      <Title order={2} fz="md" id={titleId}>
        {t('notification.title')}
      </Title>
      <Text size="sm" c="dimmed" mt={2} mb="md">
        {t('notification.hint')}
      </Text>
      <form
        noValidate
        onSubmit={form.onSubmit(async ({ quota_warning_threshold: threshold, ...values }) => {
          if (!(await isMeant(unusualQuota(t('notification.threshold'), Number(threshold), own)))) return
          save.mutate({
            body: { ...values, ...(!isOfSite(threshold) && { quota_warning_threshold: Number(threshold) }) },
          })
        })}
      >
        <Stack gap="md" className={classes.fields}>
          <div>
            <MoneyInput
              label={t('notification.threshold')}
              description={
                isOfSite(form.values.quota_warning_threshold) ? t('notification.thresholdOfSite') : undefined
              }
              {...form.getInputProps('quota_warning_threshold')}
            />
            <QuickPicks
              label={t('notification.threshold')}
              picks={thresholds.map((quota) => ({
                text: money(quota),
                onPick: () => form.setFieldValue('quota_warning_threshold', quota),
              }))}
            />
          </div>
          <Input.Wrapper label={t('notification.type')} labelElement="div">
            <div>
              <SegmentedControl
                aria-label={t('notification.type')}
                data={[
                  { value: 'email', label: t('notification.email') },
                  { value: 'webhook', label: t('notification.webhook') },
                ]}
                {...form.getInputProps('notify_type')}
              />
            </div>
          </Input.Wrapper>
          {type === 'email' ? (
            <TextInput
              type="email"
              label={t('notification.address')}
              description={t(accountMail ? 'notification.addressHint' : 'notification.addressMissing')}
              placeholder={accountMail}
              autoComplete="email"
              {...form.getInputProps('notification_email')}
            />
          ) : (
            <>
              <TextInput
                type="url"
                label={t('notification.url')}
                description={t('notification.urlHint')}
                placeholder="https://example.com/webhook"
                {...form.getInputProps('webhook_url')}
              />
              <PasswordInput
                label={t('notification.secret')}
                description={t('notification.secretHint')}
                autoComplete="new-password"
                {...form.getInputProps('webhook_secret')}
              />
            </>
          )}
          <Group gap={8}>
            <Button type="submit" size="sm" loading={save.isPending}>
              {t('common:save')}
            </Button>
            <Button
              variant="default"
              size="sm"
              loading={test.isPending}
              disabled={form.isDirty()}
              title={form.isDirty() ? t('notification.saveFirst') : undefined}
              onClick={() => test.mutate({})}
            >
              {t('notification.test')}
            </Button>
          </Group>
        </Stack>
      </form>
      {dialog}
    </Paper>
  )
}

const NoticeSettings = UserSetting.pick({
  notify_type: true,
  quota_warning_threshold: true,
  notification_email: true,
  webhook_url: true,
})
type NoticeSettings = z.output<typeof NoticeSettings>

/** Returns the notification settings of a user, with defaults for what is not set. */
export const noticeSettingsOf = ({ setting }: { readonly setting: string }): NoticeSettings =>
  readFields(NoticeSettings, setting)
