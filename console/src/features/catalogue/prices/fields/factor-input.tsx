import { NumberInput, type NumberInputProps } from '@mantine/core'

import { useTranslation } from '../../../../lib/text/i18n'

type FactorInputProps = Pick<NumberInputProps, 'description' | 'w' | 'value' | 'onChange'> & {
  readonly 'data-autofocus'?: boolean
}

/** A price multiplier. */
export function FactorInput(props: FactorInputProps) {
  const { t } = useTranslation('prices')
  return (
    <NumberInput
      label={t('bulk.factor')}
      min={0}
      max={1000}
      step={0.05}
      decimalScale={4}
      allowNegative={false}
      hideControls
      {...props}
    />
  )
}
