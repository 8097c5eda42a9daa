import { Button, type ButtonProps } from '@mantine/core'
import { lazy, Suspense, useState, type ReactElement, type ReactNode } from 'react'

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog')).ConfirmDialog }))

interface ConfirmButtonProps extends Pick<
  ButtonProps,
  'variant' | 'color' | 'size' | 'leftSection' | 'disabled' | 'loading'
> {
  readonly title: string
  /** What will be lost, and how many. */
  readonly question: ReactNode
  /** On the button that does it. */
  readonly confirmText: string
  readonly onConfirm: () => void
  readonly children?: ReactNode
  /** Draws the trigger itself; default is a button. */
  readonly trigger?: (open: () => void) => ReactElement
}

/** The one way to ask before something that cannot be taken back. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { title, question, confirmText, onConfirm, children, trigger, ...button } = props
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
            onConfirm={onConfirm}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
