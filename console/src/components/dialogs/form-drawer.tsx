import { Button, Drawer, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, type SubmitEvent, useEffect } from 'react'
import type { ApiError } from '@tollgate/contract'

import { useIsPhone } from '../../lib/browser/breakpoints'
import { useTranslation } from '../../lib/text/i18n'
import { FocusBack } from '../focus-back'
import classes from './form-drawer.module.css'
import { ownEscape } from '../own-escape'
import { ErrorState } from '../page/state-message'
import { PageLoading } from '../page/page-loading'

interface FormDrawerProps {
  readonly isOpen: boolean
  readonly title: string
  /** Pixels on a wide screen. */
  readonly width?: number
  /** There are unsaved changes: closing asks first. */
  readonly isDirty: boolean
  readonly isSaving?: boolean
  readonly saveText?: string
  /** Read-only. */
  readonly isReadOnly?: boolean
  readonly onSave: () => void
  readonly onClose: () => void
  /** Shown beside the save button. */
  readonly footer?: ReactNode
  readonly children: ReactNode
  /** Shown after the fields; usable in read-only forms. */
  readonly after?: ReactNode
}

/** The drawer for editing a record: beside the page on wide screens, over it on phones. Unsaved changes are never lost without asking. */
export function FormDrawer(props: FormDrawerProps) {
  const { isOpen, title, width = 520, isDirty, isSaving, saveText, isReadOnly = false, onSave, onClose } = props
  const { footer, children, after } = props
  const { t } = useTranslation()
  const isPhone = useIsPhone()
  const [isAsking, asking] = useDisclosure()
  useLeaveWarning(isOpen && isDirty)
  const close = () => (isDirty && !isReadOnly && !isSaving ? asking.open() : onClose())
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    // React events bubble through portals: without this a surrounding form would be submitted too.
    event.stopPropagation()
    onSave()
  }
  return (
    <>
      <Drawer
        opened={isOpen}
        onClose={close}
        {...ownEscape(close)}
        position="right"
        size={isPhone ? '100%' : width}
        title={title}
        closeButtonProps={{ 'aria-label': t('close') }}
        classNames={{ body: classes.body, content: classes.content }}
      >
        <FocusBack />
        <form onSubmit={submit} className={classes.form} noValidate>
          <Stack gap="md" className={classes.fields}>
            {isReadOnly ? (
              <fieldset disabled className={classes.readOnly}>
                {children}
              </fieldset>
            ) : (
              children
            )}
            {after}
          </Stack>
          <Group className={classes.foot} justify="flex-end" gap={8}>
            {footer}
            <Button variant="default" size="sm" onClick={close}>
              {t(isReadOnly ? 'close' : 'cancel')}
            </Button>
            {!isReadOnly && (
              <Button type="submit" size="sm" loading={isSaving}>
                {saveText ?? t('save')}
              </Button>
            )}
          </Group>
        </form>
      </Drawer>
      {/* Mounted only while asking: otherwise it would take the Escape that opened it. */}
      {isAsking && (
        <Modal
          opened
          onClose={asking.close}
          title={t('form.discardTitle')}
          closeButtonProps={{ 'aria-label': t('close') }}
        >
          <FocusBack />
          <Text size="sm">{t('form.discardHint')}</Text>
          <Group justify="flex-end" gap={8} mt="md">
            <Button variant="default" onClick={asking.close} data-autofocus>
              {t('form.keepEditing')}
            </Button>
            <Button
              color="red"
              onClick={() => {
                asking.close()
                onClose()
              }}
            >
              {t('form.discard')}
            </Button>
          </Group>
        </Modal>
      )}
    </>
  )
}

/** Warns before the page is left with unsaved changes. */
function useLeaveWarning(isActive: boolean) {
  useEffect(() => {
    if (!isActive) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isActive])
}

interface LoadedDrawerProps<Data> {
  readonly title: string
  /** Width of the drawer in pixels. */
  readonly width?: number
  /** A read with `staleTime: 0`: cached data may be outdated. */
  readonly read: {
    readonly data: Data | undefined
    readonly error: ApiError | null
    readonly isFetchedAfterMount: boolean
    readonly refetch: () => Promise<unknown>
  }
  readonly onClose: () => void
  /** Renders the drawer once the data is loaded. */
  readonly children: (data: Data) => ReactNode
}

/** Loads the record that a drawer edits, then renders the drawer, so that its form begins with current data. */
export function LoadedDrawer<Data>({ title, width, read, onClose, children }: LoadedDrawerProps<Data>) {
  const { data, error, isFetchedAfterMount, refetch } = read
  if (data !== undefined && isFetchedAfterMount && !error) return children(data)
  return (
    <FormDrawer isOpen title={title} width={width} isDirty={false} isSaving onSave={() => {}} onClose={onClose}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} isSmall /> : <PageLoading />}
    </FormDrawer>
  )
}
