import { Anchor, Group, Text } from '@mantine/core'
import { useState } from 'react'

interface UndoTextProps {
  /** What was done. */
  readonly text: string
  readonly label: string
  readonly doneText: string
  /** Rejects when it is refused, after showing why. */
  readonly onUndo: () => Promise<void>
}

/** The toast of an action that can be undone. */
export function UndoText({ text, label, doneText, onUndo }: UndoTextProps) {
  const [state, setState] = useState<'done' | 'undoing' | 'undone'>('done')
  const undo = () => {
    setState('undoing')
    onUndo().then(
      () => setState('undone'),
      () => setState('done'),
    )
  }
  return (
    <Group gap="sm" wrap="nowrap" justify="space-between">
      <Text size="sm">{state === 'undone' ? doneText : text}</Text>
      {state !== 'undone' && (
        <Anchor component="button" type="button" size="sm" fw={600} disabled={state === 'undoing'} onClick={undo}>
          {label}
        </Anchor>
      )}
    </Group>
  )
}
