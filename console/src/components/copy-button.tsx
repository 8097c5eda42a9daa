import { ActionIcon, Group, Text } from '@mantine/core'
import { lazy, Suspense, useEffect, useState } from 'react'
import { IconCheck, IconCopy } from '@tabler/icons-react'

import { copyText } from '../lib/browser/copy-text'
import { useTranslation } from '../lib/text/i18n'
import { notifySuccess } from '../lib/browser/notify'
import { Tip } from './tip'

const ManualCopy = lazy(async () => ({ default: (await import('./manual-copy')).ManualCopy }))

interface CopyButtonProps {
  readonly text: string
  /** What is copied, for screen readers. */
  readonly label?: string
  readonly size?: number
}

const shownMs = 1_500

/** Copies a text and says so; where the browser refuses, shows it to be copied by hand. */
export function CopyButton({ text, label, size = 26 }: CopyButtonProps) {
  const { t } = useTranslation()
  const [state, setState] = useState<'idle' | 'done' | 'refused'>('idle')
  useEffect(() => {
    if (state !== 'done') return undefined
    const timer = setTimeout(() => setState('idle'), shownMs)
    return () => clearTimeout(timer)
  }, [state])
  const name = label ?? t('copy.action')
  const copy = async () => {
    const isCopied = await copyText(text)
    setState(isCopied ? 'done' : 'refused')
    if (isCopied) notifySuccess(t('copy.done'))
  }
  return (
    <>
      <Tip label={state === 'done' ? t('copy.done') : name}>
        <ActionIcon
          size={size}
          aria-label={name}
          onClick={(event) => {
            event.stopPropagation()
            void copy()
          }}
        >
          {state === 'done' ? <IconCheck size={size * 0.58} /> : <IconCopy size={size * 0.58} />}
        </ActionIcon>
      </Tip>
      {state === 'refused' && (
        <Suspense>
          <ManualCopy text={text} onClose={() => setState('idle')} />
        </Suspense>
      )}
    </>
  )
}

interface CopyFieldProps {
  readonly value: string
  /** Shown instead of a long or secret value. */
  readonly shown?: string
  readonly label?: string
}

/** A monospace value with a copy button. */
export function CopyField({ value, shown = value, label }: CopyFieldProps) {
  return (
    <Group gap={2} wrap="nowrap" style={{ minWidth: 0 }}>
      <Text ff="monospace" fz="xs" truncate title={shown === value ? value : undefined}>
        {shown}
      </Text>
      <CopyButton text={value} label={label} />
    </Group>
  )
}
