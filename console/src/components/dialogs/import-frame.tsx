import { Button, FileButton, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'

import { useIsPhone } from '../../lib/browser/breakpoints'
import { useTranslation } from '../../lib/text/i18n'
import { FocusBack } from '../focus-back'

interface ImportFrameProps {
  readonly title: string
  readonly hint: string
  /** A text was entered, which a click beside the dialog must not lose. */
  readonly hasText: boolean
  readonly isRunning: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The dialog of an import from a file or pasted lines. It stays open while the import runs. */
export function ImportFrame({ title, hint, hasText, isRunning, onClose, children }: ImportFrameProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened
      onClose={() => !isRunning && onClose()}
      title={title}
      size={860}
      fullScreen={useIsPhone()}
      closeOnClickOutside={!hasText}
      closeOnEscape={!hasText}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <FocusBack />
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
        {children}
      </Stack>
    </Modal>
  )
}

interface ImportTextProps {
  readonly label: string
  readonly fileLabel: string
  readonly example: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly isDisabled?: boolean
  /** Shown beside the button. */
  readonly children?: ReactNode
}

/** JSON or CSV, pasted or read from a file. */
export function ImportText({ label, fileLabel, example, value, onChange, isDisabled, children }: ImportTextProps) {
  return (
    <>
      <Textarea
        aria-label={label}
        placeholder={example}
        autosize
        minRows={4}
        maxRows={8}
        value={value}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--text-xs)' } }}
        spellCheck={false}
        data-autofocus
      />
      <Group gap={8} align="flex-end">
        <FileButton
          accept=".json,.csv,.txt,application/json,text/csv"
          onChange={(file) => void file?.text().then(onChange)}
        >
          {(props) => (
            <Button {...props} variant="default" disabled={isDisabled}>
              {fileLabel}
            </Button>
          )}
        </FileButton>
        {children}
      </Group>
    </>
  )
}
