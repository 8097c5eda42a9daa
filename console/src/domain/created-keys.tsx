import { Button, Group, Stack, Switch } from '@mantine/core'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { copyText } from '../lib/browser/copy-text'
import { useTranslation } from '../lib/text/i18n'
import { notifySuccess } from '../lib/browser/notify'
import { CopyField } from '../components/copy-button'
import classes from './created-keys.module.css'
import { mask } from '../components/fields/secret-field'

const ManualCopy = lazy(async () => ({ default: (await import('../components/manual-copy')).ManualCopy }))

interface CreatedKey {
  readonly name: string
  readonly key: string
}

interface CreatedKeysProps {
  readonly keys: readonly CreatedKey[]
  /** Name of the file without its extension. */
  readonly fileName: string
}

/** Keys created together, to be copied one by one or all at once, or saved as a file. */
export function CreatedKeys({ keys, fileName }: CreatedKeysProps) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const text = keys.map(({ key }) => key).join('\n')
  const copy = async () => {
    if (await copyText(text)) notifySuccess(t('keys.copied', { count: keys.length }))
    else setRefused(true)
  }
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Switch
          size="xs"
          label={t('keys.show')}
          checked={isShown}
          onChange={({ currentTarget }) => setShown(currentTarget.checked)}
        />
        <Group gap={8}>
          <Button variant="default" leftSection={<IconCopy size={14} />} onClick={() => void copy()}>
            {t('keys.copy')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={14} />}
            component="a"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
            download={`${withoutForbidden(fileName)}.txt`}
          >
            {t('keys.download')}
          </Button>
        </Group>
      </Group>
      <ol className={classes.keys} tabIndex={0} aria-label={t('keys.list')}>
        {keys.map(({ name, key }) => (
          <li key={key}>
            <span className={classes.name} title={name}>
              {name}
            </span>
            <CopyField value={key} shown={isShown ? key : mask(key)} label={t('keys.copyOne')} />
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

/** Removes characters that file systems refuse. */
const withoutForbidden = (name: string) => name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_')
