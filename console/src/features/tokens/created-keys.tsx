import { Button, Group, Stack, Switch } from '@mantine/core'
import type { tokenRoutes } from '@tollgate/contract'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { CopyField } from '../../components/copy-field'
import { masked } from '../../components/secret-field'
import { copyText } from '../../lib/copy-text'
import { useTranslation } from '../../lib/i18n'
import { notifySuccess } from '../../lib/notify'
import { shownKey } from './token-key'
import classes from './tokens.module.css'

const ManualCopy = lazy(async () => ({ default: (await import('../../components/manual-copy')).ManualCopy }))

/** The keys of a batch: to copy one by one or all, and to keep as a file. */
export function CreatedKeys({ tokens }: { readonly tokens: readonly tokenRoutes.TokenEntity[] }) {
  const { t } = useTranslation('tokens')
  const [isShown, setShown] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const text = tokens.map(({ key }) => shownKey(key)).join('\n')
  const copy = async () => {
    if (await copyText(text)) notifySuccess(t('batch.copied', { count: tokens.length }))
    else setRefused(true)
  }
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Switch
          size="xs"
          label={t('batch.show')}
          checked={isShown}
          onChange={({ currentTarget }) => setShown(currentTarget.checked)}
        />
        <Group gap={8}>
          <Button variant="default" leftSection={<IconCopy size={14} />} onClick={() => void copy()}>
            {t('batch.copy')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={14} />}
            component="a"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
            download={fileName(tokens[0]?.name)}
          >
            {t('batch.download')}
          </Button>
        </Group>
      </Group>
      <ol className={classes.keys} tabIndex={0} aria-label={t('batch.keys')}>
        {tokens.map(({ id, name, key }) => (
          <li key={id}>
            <span className={classes.name} title={name}>
              {name}
            </span>
            <CopyField
              value={shownKey(key)}
              shown={isShown ? shownKey(key) : masked(shownKey(key))}
              label={t('action.copyKey')}
            />
          </li>
        ))}
      </ol>
      {isRefused && (
        <Suspense>
          <ManualCopy text={text} onClose={() => setRefused(false)} />
        </Suspense>
      )}
    </Stack>
  )
}

/** Without what file systems refuse. */
const fileName = (name = 'tokens') => `${name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_')}.txt`
