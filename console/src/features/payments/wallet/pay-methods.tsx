import { Input, Text } from '@mantine/core'
import type { paymentRoutes } from '@tollgate/contract'

import { useId } from 'react'

import { useMethodName } from '../../../domain/order'
import { useTranslation } from '../../../lib/text/i18n'
import { webAddress } from '../../../lib/url/web-address'
import classes from './wallet.module.css'

interface PayMethodsProps {
  readonly methods: readonly paymentRoutes.PaymentMethod[]
  readonly value: string
  readonly onChange: (type: string) => void
}

/** Payment methods, side by side where they fit. */
export function PayMethods({ methods, value, onChange }: PayMethodsProps) {
  const { t } = useTranslation('wallet')
  const methodName = useMethodName()
  const id = useId()
  return (
    <Input.Wrapper label={t('topUp.method')} labelElement="div" labelProps={{ id }} mt="md">
      <div className={classes.methods} role="radiogroup" aria-labelledby={id}>
        {methods.map(({ type, name, color, icon }) => (
          <label key={type} className={classes.method} data-is-chosen={type === value || undefined}>
            <input
              type="radio"
              name={id}
              checked={type === value}
              onChange={() => onChange(type)}
              className={classes.radio}
            />
            {webAddress(icon) ? (
              <img src={webAddress(icon)} alt="" width={18} height={18} referrerPolicy="no-referrer" />
            ) : (
              color !== '' && <span className={classes.dot} style={{ background: color }} />
            )}
            <Text size="sm" component="span" truncate>
              {methodName(type, name)}
            </Text>
          </label>
        ))}
      </div>
    </Input.Wrapper>
  )
}
