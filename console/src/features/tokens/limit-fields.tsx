import { MultiSelect, Textarea } from '@mantine/core'
import { modelRoutes } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

import { useRead } from '../../lib/query'
import type { TokenForm } from './use-token-form'

/** Drawn of a long list at a time; typing finds the others. */
const mostDrawn = 100

/** Which models, and from where. */
export function LimitFields({ form }: { readonly form: TokenForm }) {
  const { t } = useTranslation('tokens')
  const models = useRead(modelRoutes.ownModels)
  const choices = [...new Set([...(models.data ?? []), ...form.values.models])]
  return (
    <>
      <MultiSelect
        label={t('field.models')}
        description={t('modelsHint')}
        placeholder={form.values.models.length === 0 ? t('allModels') : undefined}
        data={choices}
        limit={mostDrawn}
        searchable
        clearable
        hidePickedOptions
        nothingFoundMessage={t('noSuchModel')}
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
