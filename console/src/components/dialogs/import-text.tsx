import { Button, FileButton, Group, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'

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
