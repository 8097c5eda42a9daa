import * as z from 'zod'
import { passwordLength, type userRoutes } from '@tollgate/contract'
import { useForm, type UseFormReturnType } from '@mantine/form'

import { useTranslation } from '../../lib/text/i18n'
import { lettersOf } from '../../lib/text/format'
import { checkedBy } from '../../lib/api/form-errors'

type User = userRoutes.UserEntity

/** Values of the drawers. */
export interface UserValues {
  username: string
  displayName: string
  /** Empty: keep the current one. */
  password: string
  group: string | null
  /** Quota to add to or remove from the balance. */
  added: number | string
  reason: string
}

export const newUserValues: UserValues = {
  username: '',
  displayName: '',
  password: '',
  group: null,
  added: '',
  reason: '',
}

export const valuesOf = (user: Pick<User, 'username' | 'display_name' | 'group'>): UserValues => ({
  ...newUserValues,
  username: user.username,
  displayName: user.display_name,
  group: user.group,
})

export const addedQuota = ({ added }: Pick<UserValues, 'added'>): number => Number(added) || 0

const maxUsernameLength = 20
const maxDisplayNameLength = 50

export type UserFault = 'username' | 'displayName' | 'password'

/** Validates the drawers; `say` returns the message of a fault. An unchanged name may predate today's rules. */
export function userSchema(messageOf: (fault: UserFault) => string, before?: Pick<User, 'username'>) {
  const isName = (name: string) => lettersOf(name) > 0 && lettersOf(name) <= maxUsernameLength && !name.includes('@')
  const isPassword = (password: string) =>
    (before !== undefined && password === '') ||
    (lettersOf(password) >= passwordLength.min && lettersOf(password) <= passwordLength.max)
  return z.object({
    username: z.string().refine((name) => name === before?.username || isName(name), messageOf('username')),
    displayName: z.string().refine((name) => lettersOf(name) <= maxDisplayNameLength, messageOf('displayName')),
    password: z.string().refine(isPassword, messageOf('password')),
    group: z.string().nullable(),
    added: z.union([z.number(), z.string()]),
    reason: z.string(),
  })
}

/** Returns the changed fields of an edit. A balance is sent along with its original value, so that spending in between is preserved. */
export function editOf(user: User, values: UserValues) {
  const added = addedQuota(values)
  const { username, displayName, password, group, reason } = values
  return {
    id: user.id,
    ...(username.trim() !== user.username && { username: username.trim() }),
    ...(displayName.trim() !== user.display_name && { display_name: displayName.trim() }),
    ...(password !== '' && { password }),
    ...(group !== null && group !== user.group && { group }),
    ...(added !== 0 && {
      quota: user.quota + added,
      quota_read: user.quota_read,
      ...(reason.trim() !== '' && { reason: reason.trim() }),
    }),
  }
}

/** Fields where the server's refusals are shown. */
export const fieldOfRefusal = {
  'user.username': 'username',
  'user.exists': 'username',
  'user.password': 'password',
  'user.group': 'group',
  'user.quota': 'added',
  'quota.bounds': 'added',
} as const

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
