import { useForm, type UseFormReturnType } from '@mantine/form'
import { passwordLength, type userRoutes } from '@tollgate/contract'
import { useTranslation } from '../../lib/text/i18n'

import { checkedBy } from '../../lib/api/form-errors'
import { userSchema, type UserValues } from './user-values'

export type UserForm = UseFormReturnType<UserValues>

/** The form of a drawer; without a user for a new one. */
export function useUserForm(initialValues: UserValues, before?: Pick<userRoutes.UserEntity, 'username'>): UserForm {
  const { t } = useTranslation('users')
  return useForm<UserValues>({
    initialValues,
    validate: checkedBy(
      userSchema((fault) => t(`fault.${fault}`, passwordLength), before),
      (sentence) => sentence,
    ),
    validateInputOnBlur: ['displayName', 'password'],
  })
}
