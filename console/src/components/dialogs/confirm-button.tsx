import { Button, type ButtonProps } from '@mantine/core'
import { lazy, Suspense, useState, type ReactElement, type ReactNode } from 'react'

import type { Question } from './confirm-dialog'

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog')).ConfirmDialog }))

interface ConfirmButtonProps
  extends Question, Pick<ButtonProps, 'variant' | 'color' | 'size' | 'leftSection' | 'disabled' | 'loading'> {
  readonly onConfirm: (reason: string) => void
  readonly children?: ReactNode
  /** Renders the trigger; default: a button. */
  readonly trigger?: (open: () => void) => ReactElement
}

/** Asks for confirmation before an irreversible action. Menu items ask by themselves. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { title, question, confirmText, typed, reasonHint, onConfirm, children, trigger, ...button } = props
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  return (
    <>
      {trigger ? (
        trigger(open)
      ) : (
        <Button variant="default" {...button} onClick={open}>
          {children}
        </Button>
      )}
      {isOpen && (
        <Suspense>
          <ConfirmDialog
            title={title}
            question={question}
            confirmText={confirmText}
            typed={typed}
            reasonHint={reasonHint}
            onConfirm={onConfirm}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
