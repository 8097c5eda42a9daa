import { useForm, type UseFormReturnType } from '@mantine/form'

import { checkedBy } from '../../lib/form-errors'
import { useTranslation } from '../../lib/i18n'
import { tokenSchema, type TokenValues } from './token-values'

export type TokenForm = UseFormReturnType<TokenValues>

/** The values of the drawer with their rules; addresses are judged while they are typed. */
export function useTokenForm(initialValues: TokenValues): TokenForm {
  const { t } = useTranslation('tokens')
  return useForm<TokenValues>({
    initialValues,
    validate: checkedBy(
      tokenSchema((fault, parameters) => t(`fault.${fault}`, parameters ?? {})),
      (sentence) => sentence,
    ),
    // Not the name: it is the first field, and left empty on the way to the others.
    validateInputOnBlur: ['count', 'quota', 'ratePeriod', 'rateCount', 'rateSuccess'],
    validateInputOnChange: ['ips'],
  })
}

/** Where a refusal of the server belongs. */
export const fieldOfRefusal = {
  'token.name_empty': 'name',
  'token.name_long': 'name',
  'token.expiry': 'expiry',
  'token.quota': 'quota',
  'token.models': 'models',
  'token.ips': 'ips',
  'token.group': 'group',
} as const
