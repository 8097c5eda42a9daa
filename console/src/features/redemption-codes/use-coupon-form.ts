import { useForm } from '@mantine/form'

import { checkedBy } from '../../lib/api/form-errors'
import { useTranslation } from '../../lib/text/i18n'
import { couponSchema, type CouponValues } from './coupon-values'

export function useCouponForm(initialValues: CouponValues) {
  const { t } = useTranslation('coupons')
  return useForm<CouponValues>({
    initialValues,
    validate: checkedBy(
      couponSchema((fault) => t(`fault.${fault}`)),
      (sentence) => sentence,
    ),
    validateInputOnBlur: ['name', 'key'],
  })
}

export type CouponForm = ReturnType<typeof useCouponForm>
