import { useTranslation } from 'react-i18next'

import { FormDrawer } from '../../../components/form-drawer'

interface ChannelDrawerProps {
  readonly id: 'new' | number
  readonly onClose: () => void
}

/** Create or change a channel. */
export function ChannelDrawer({ id, onClose }: ChannelDrawerProps) {
  const { t } = useTranslation('channel-editor')
  return (
    <FormDrawer
      isOpen
      title={t(id === 'new' ? 'titleNew' : 'titleEdit')}
      width={600}
      isDirty={false}
      onSave={onClose}
      onClose={onClose}
    >
      {null}
    </FormDrawer>
  )
}
