import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { FileRoute, RouteSent } from '@tollgate/contract'

import { useTranslation } from '../lib/text/i18n'
import { useDownload } from '../lib/api/use-download'

interface ExportButtonProps<R extends FileRoute> {
  readonly route: R
  readonly sent: RouteSent<R>
  /** Name of the file, where the response does not name it. */
  readonly name: string
  /** Default: what a page with one table says. */
  readonly label?: string
}

/** Saves everything that matches the filters of a list as a file. */
export function ExportButton<R extends FileRoute>({ route, sent, name, label }: ExportButtonProps<R>) {
  const { t } = useTranslation()
  const { isBusy, start } = useDownload(route, sent, name)
  return (
    <Button variant="default" leftSection={<IconDownload size={15} />} loading={isBusy} onClick={start}>
      {label ?? t('exportCsv')}
    </Button>
  )
}
