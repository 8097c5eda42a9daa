import { Group, Text } from '@mantine/core'

import { CopyButton } from '../../../components/copy-button'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import type { Raw } from '../chat/raw-log'
import classes from './inspector.module.css'

/** The frames of the response as received. */
export function RawResponse({ raw }: { readonly raw: Raw | undefined }) {
  const { t } = useTranslation('playground')
  const { number } = useFormat()
  if (!raw) return <Text size="sm">{t('inspect.gone')}</Text>
  const { status, frames, left } = raw
  const text = frames.map((frame) => `data: ${frame}`).join('\n\n')
  return (
    <>
      <Group justify="space-between" mb={6}>
        <Text size="xs" c="dimmed" className="figures">
          {t('inspect.frames', { status: status ?? '-', count: frames.length })}
        </Text>
        <CopyButton text={text} label={t('inspect.copyResponse')} />
      </Group>
      <pre className={classes.frames} tabIndex={0}>
        {text}
      </pre>
      {left > 0 && (
        <Text size="xs" c="dimmed" mt={6}>
          {t('inspect.left', { characters: number(left) })}
        </Text>
      )}
    </>
  )
}
