import { ActionIcon } from '@mantine/core'
import { IconMathFunction } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { Tip } from '../../components/tip'

/** How prices come about. */
export function FormulaTip() {
  const { t } = useTranslation('pricing')
  return (
    <Tip label={t('formula')}>
      <ActionIcon aria-label={t('formulaLabel')}>
        <IconMathFunction size={17} />
      </ActionIcon>
    </Tip>
  )
}
