import { useForm, type UseFormReturnType } from '@mantine/form'

import { checkedBy } from '../../lib/api/form-errors'
import { useTranslation } from '../../lib/text/i18n'
import { tokenSchema, type TokenValues } from './token-values'

export type TokenForm = UseFormReturnType<TokenValues>

/** The form of the drawer; addresses are validated while typing. */
export function useTokenForm(initialValues: TokenValues): TokenForm {
  const { t } = useTranslation('tokens')
  return useForm<TokenValues>({
    initialValues,
    validate: checkedBy(
      tokenSchema((fault, parameters) => t(`fault.${fault}`, parameters ?? {})),
      (sentence) => sentence,
    ),
    // Not the name: it is the first field, and often left empty at first.
    validateInputOnBlur: ['count', 'quota', 'ratePeriod', 'rateCount', 'rateSuccess'],
    validateInputOnChange: ['ips'],
  })
}

/** Fields where the server's refusals are shown. */
export const fieldOfRefusal = {
  'token.name_empty': 'name',
  'token.name_long': 'name',
  'token.expiry': 'expiry',
  'token.quota': 'quota',
  'token.models': 'models',
  'token.ips': 'ips',
  'token.group': 'group',
} as const
