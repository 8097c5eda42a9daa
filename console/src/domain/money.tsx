import { Text, type TextProps } from '@mantine/core'

import { useTranslation } from '../lib/text/i18n'
import { useFormat } from '../lib/text/use-format'
import { Tip } from '../components/tip'

interface MoneyProps extends TextProps {
  readonly quota: number
  /** The amount as its column shows it; default: with as many decimals as it needs. */
  readonly shown?: string
}

/** An amount in the site's display currency; the exact quota on hover. */
export function Money({ quota, shown, ...text }: MoneyProps) {
  const { t } = useTranslation()
  const { money, number } = useFormat()
  return (
    <Tip label={<span className="figures">{t('money.units', { units: number(quota) })}</span>}>
      <Text component="span" inherit className="figures" {...text}>
        {shown ?? money(quota)}
      </Text>
    </Tip>
  )
}
