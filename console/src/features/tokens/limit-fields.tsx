import { Textarea } from '@mantine/core'

import { ModelsSelect } from './models-select'
import { useTranslation } from '../../lib/text/i18n'
import type { TokenForm } from './use-token-form'

/** Allowed models and addresses. */
export function LimitFields({ form }: { readonly form: TokenForm }) {
  const { t } = useTranslation('tokens')
  return (
    <>
      <ModelsSelect
        label={t('field.models')}
        description={t('modelsHint')}
        placeholder={t('allModels')}
        {...form.getInputProps('models')}
      />
      <Textarea
        label={t('field.ips')}
        description={t('ipsHint')}
        placeholder={'203.0.113.7\n10.0.0.0/8'}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--text-xs)' } }}
        {...form.getInputProps('ips')}
      />
    </>
  )
}
