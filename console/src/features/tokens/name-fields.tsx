import { NumberInput, TextInput } from '@mantine/core'
import { tokenRoutes } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

import { QuickPicks } from '../../components/quick-picks'
import { mostCreated } from './token-values'
import type { TokenForm } from './use-token-form'

const counts = [1, 10, 20, 30, 100] as const

interface NameFieldsProps {
  readonly form: TokenForm
  readonly isNew: boolean
}

/** What the token is called, and how many are created at once. */
export function NameFields({ form, isNew }: NameFieldsProps) {
  const { t } = useTranslation('tokens')
  return (
    <>
      <TextInput
        label={t('field.name')}
        withAsterisk
        maxLength={tokenRoutes.longestTokenName * 2}
        data-autofocus
        {...form.getInputProps('name')}
      />
      {isNew && (
        <div>
          <NumberInput
            label={t('field.count')}
            description={Number(form.values.count) > 1 ? t('countHint') : undefined}
            allowDecimal={false}
            allowNegative={false}
            min={1}
            max={mostCreated}
            {...form.getInputProps('count')}
          />
          <QuickPicks
            label={t('field.count')}
            picks={counts.map((count) => ({
              text: String(count),
              onPick: () => form.setFieldValue('count', count),
            }))}
          />
        </div>
      )}
    </>
  )
}
