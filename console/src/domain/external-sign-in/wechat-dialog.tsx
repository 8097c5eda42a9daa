import { Button, Image, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { useSite } from '../../lib/api/status'
import { FocusBack } from '../../components/focus-back'

interface WeChatDialogProps {
  readonly title: string
  readonly submitText: string
  readonly isBusy: boolean
  /** Why the code was refused. */
  readonly fault: string | undefined
  readonly onCode: (code: string) => void
  readonly onClose: () => void
}

/** The QR code of the site's WeChat public account, which sends followers a code to type here. */
export function WeChatDialog({ title, submitText, isBusy, fault, onCode, onClose }: WeChatDialogProps) {
  const { t } = useTranslation('external-sign-in')
  const { wechat_qrcode: image } = useSite()
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  const code = typed.trim()
  return (
    <Modal opened onClose={onClose} size="sm" title={title} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <FocusBack />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setMissing(code === '')
          if (code !== '') onCode(code)
        }}
      >
        <Stack gap="md">
          {image !== '' && <AccountImage src={image} />}
          <Text size="sm" ta="center" style={{ textWrap: 'balance' }}>
            {t('wechat.hint')}
          </Text>
          <TextInput
            label={t('wechat.code')}
            autoComplete="one-time-code"
            maxLength={64}
            data-autofocus
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            error={isMissing && code === '' ? t('wechat.missing') : fault}
          />
          <Button type="submit" size="sm" loading={isBusy}>
            {submitText}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}

const imageSide = 200

/** The QR code of the public account, or a message where it does not load. */
function AccountImage({ src }: { readonly src: string }) {
  const { t } = useTranslation('external-sign-in')
  const [attempt, setAttempt] = useState(0)
  const [hasFailed, setFailed] = useState(false)
  if (!hasFailed)
    return (
      <Image
        key={attempt}
        src={src}
        alt={t('wechat.picture')}
        w={imageSide}
        h={imageSide}
        mx="auto"
        fit="contain"
        onError={() => setFailed(true)}
      />
    )
  const retry = () => {
    setAttempt(attempt + 1)
    setFailed(false)
  }
  return (
    <Stack align="center" justify="center" gap="sm" mih={imageSide} role="alert">
      <Text size="sm" ta="center" c="dimmed" style={{ textWrap: 'balance' }}>
        {t('wechat.pictureFailed')}
      </Text>
      <Button variant="default" size="xs" onClick={retry}>
        {t('common:retry')}
      </Button>
    </Stack>
  )
}
