import type { ErrorComponentProps } from '@tanstack/react-router'
import { ApiError } from '@tollgate/contract'

import { PageError } from '../../components/page/page-error'
import { useTranslation } from '../../lib/text/i18n'

/** Shown when the site's status, which every page needs, could not be read. */
export function StatusError(props: ErrorComponentProps) {
  const { t } = useTranslation('shell')
  const { error } = props
  if (!(error instanceof ApiError)) return <PageError {...props} />
  return <PageError {...props} title={t(error.status === 0 ? 'unreachable' : 'noStatus')} />
}
