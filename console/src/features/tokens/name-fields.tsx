import { Anchor, NumberInput, TextInput } from '@mantine/core'
import { tokenRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { QuickPicks } from '../../components/fields/quick-picks'
import { useTranslation } from '../../lib/text/i18n'
import { maxCreated } from './token-values'
import type { TokenForm } from './use-token-form'

const counts = [1, 10, 20, 30, 100] as const

interface NameFieldsProps {
  readonly form: TokenForm
  readonly isNew: boolean
}

/** Name of the token, and how many are created at once. */
export function NameFields({ form, isNew }: NameFieldsProps) {
  const { t } = useTranslation('tokens')
  const [isSeveral, setSeveral] = useState(Number(form.values.count) > 1)
  return (
    <>
      <TextInput
        label={t('field.name')}
        withAsterisk
        maxLength={tokenRoutes.maxTokenNameLength * 2}
        data-autofocus
        {...form.getInputProps('name')}
      />
      {isNew && !isSeveral && (
        <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setSeveral(true)}>
          {t('several')}
        </Anchor>
      )}
      {isNew && isSeveral && (
        <div>
          <NumberInput
            label={t('field.count')}
            description={Number(form.values.count) > 1 ? t('countHint') : undefined}
            allowDecimal={false}
            allowNegative={false}
            min={1}
            max={maxCreated}
            autoFocus
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
