import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconPlugConnectedX } from '@tabler/icons-react'

import { StateMessage } from '../../components/page/state-message'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'

/** No model can be called: why, and who can change that. */
export function NoModels() {
  const { t } = useTranslation('playground')
  const mayConnect = useViewer().may('keys.write')
  return (
    <StateMessage
      icon={IconPlugConnectedX}
      title={t('noModels.title')}
      hint={t(mayConnect ? 'noModels.admin' : 'noModels.user')}
      action={
        mayConnect && (
          <Button renderRoot={(props) => <Link to="/admin/channels" search={{ edit: 'new' }} {...props} />}>
            {t('noModels.add')}
          </Button>
        )
      }
    />
  )
}
