import { ActionIcon } from '@mantine/core'
import { IconMathFunction } from '@tabler/icons-react'

import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'

/** Explains how prices are computed. */
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
