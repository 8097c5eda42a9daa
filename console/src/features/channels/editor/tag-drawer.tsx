import { useTranslation } from 'react-i18next'

import { FormDrawer } from '../../../components/form-drawer'

interface TagDrawerProps {
  readonly tag: string
  readonly onClose: () => void
}

/** Change all channels of a tag. */
export function TagDrawer({ tag, onClose }: TagDrawerProps) {
  const { t } = useTranslation('channel-editor')
  return (
    <FormDrawer isOpen title={t('tag.title', { tag })} isDirty={false} onSave={onClose} onClose={onClose}>
      {null}
    </FormDrawer>
  )
}
