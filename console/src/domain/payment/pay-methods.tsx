import { Input, Text } from '@mantine/core'
import { IconWallet } from '@tabler/icons-react'
import type { paymentRoutes } from '@tollgate/contract'
import { useId, type ReactNode } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { webAddress } from '../../lib/url/web-address'
import { useMethodName } from '../order'
import classes from './pay-methods.module.css'

/** The value that stands for the balance. */
export const fromBalance = ''

interface PayMethodsProps {
  readonly methods: readonly paymentRoutes.PaymentMethod[]
  /** The name of the balance, where it pays as well. */
  readonly balance?: string
  readonly value: string
  readonly onChange: (type: string) => void
}

/** Payment methods, side by side where they fit. */
export function PayMethods({ methods, balance, value, onChange }: PayMethodsProps) {
  const { t } = useTranslation('order')
  const methodName = useMethodName()
  const id = useId()
  const choice = { group: id, chosen: value, onChoose: onChange }
  return (
    <Input.Wrapper label={t('payBy')} labelElement="div" labelProps={{ id }}>
      <div className={classes.methods} role="radiogroup" aria-labelledby={id}>
        {balance !== undefined && (
          <PayMethod
            {...choice}
            value={fromBalance}
            name={balance}
            mark={<IconWallet size={18} stroke={1.7} className={classes.icon} />}
          />
        )}
        {methods.map((method) => (
          <PayMethod
            key={method.type}
            {...choice}
            value={method.type}
            name={methodName(method.type, method.name)}
            mark={<MethodMark method={method} />}
          />
        ))}
      </div>
    </Input.Wrapper>
  )
}

interface PayMethodProps {
  readonly group: string
  readonly chosen: string
  readonly value: string
  readonly name: string
  readonly mark: ReactNode
  readonly onChoose: (value: string) => void
}

const PayMethod = ({ group, chosen, value, name, mark, onChoose }: PayMethodProps) => (
  <label className={classes.method} data-is-chosen={value === chosen || undefined}>
    <input
      type="radio"
      name={group}
      checked={value === chosen}
      onChange={() => onChoose(value)}
      className={classes.radio}
    />
    {mark}
    <Text size="sm" component="span" truncate>
      {name}
    </Text>
  </label>
)

function MethodMark({ method: { color, icon } }: { readonly method: paymentRoutes.PaymentMethod }) {
  const address = webAddress(icon)
  if (address) return <img src={address} alt="" width={18} height={18} referrerPolicy="no-referrer" />
  return color === '' ? null : <span className={classes.dot} style={{ background: color }} />
}
