import { Button, Group, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { factorRoutes, type RouteResult } from '@tollgate/contract'
import { lazy, Suspense } from 'react'

import { CopyButton } from '../../components/copy-button'
import { FocusBack } from '../../components/focus-back'
import { showAtField } from '../../lib/api/form-errors'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import classes from './account.module.css'

const QrCode = lazy(async () => ({ default: (await import('./qr-code')).QrCode }))

const codeSide = 200

interface TotpDialogProps {
  readonly enrollment: RouteResult<typeof factorRoutes.beginTotp>
  /** Called with recovery codes to show if the account had none. */
  readonly onDone: (codes: readonly string[] | null) => void
  readonly onClose: () => void
}

/** Shows the secret of an authenticator app and verifies its first code. */
export function TotpDialog({ enrollment: { token, secret, uri }, onDone, onClose }: TotpDialogProps) {
  const { t } = useTranslation('account')
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (value) => (value.trim() === '' ? t('totp.missing') : null) },
  })
  const { mutate, isPending } = useWrite(factorRoutes.confirmTotp, {
    changes: [factorRoutes.getFactors],
    onSuccess: ({ recovery_codes: codes }) => {
      notifySuccess(t('totp.done'))
      onDone(codes)
    },
    onError: showAtField(form, { 'factor.wrong': 'code' }),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      size="sm"
      title={t('totp.dialogTitle')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      <form noValidate onSubmit={form.onSubmit(({ code }) => mutate({ body: { token, code: code.trim() } }))}>
        <Stack gap="md">
          <Text size="sm">{t('totp.scan')}</Text>
          <Suspense fallback={<Skeleton w={codeSide} h={codeSide} mx="auto" />}>
            <QrCode text={uri} label={t('totp.qr')} />
          </Suspense>
          <div>
            <Text size="sm" c="dimmed">
              {t('totp.byHand')}
            </Text>
            <Group gap={4} wrap="nowrap">
              <span className={classes.secret}>{secret.match(/.{1,4}/g)?.join(' ')}</span>
              <CopyButton text={secret} label={t('totp.copySecret')} />
            </Group>
          </div>
          <TextInput
            label={t('totp.code')}
            description={t('totp.codeHint')}
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={64}
            data-autofocus
            {...form.getInputProps('code')}
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" size="sm" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" size="sm" loading={isPending}>
              {t('totp.confirm')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
